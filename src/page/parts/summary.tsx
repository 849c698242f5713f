import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type {
  Fact,
  Finding,
  Places,
  ShownFigure,
  Statement,
  Summary as Told,
  Warned,
} from '../../commands/view/summary/findings.ts';
import { summaryOf } from '../../commands/view/summary/summary.ts';
import type { Content } from '../content.ts';
import { Explained, Figure, Part, Region, regionNames, shownRegion, useDescription } from '../figure.tsx';
import type { PageState } from '../state.ts';
import { REGIONS } from './regions.ts';

/** How long, how efficient, what is lost to what, what to change next: the findings of `view --text`, with links. */
export function Summary(props: {
  readonly content: Pick<Content, 'about' | 'documents'>;
  readonly state?: PageState;
}): JSX.Element {
  const { content, state } = props;
  const summary = useMemo(() => summaryOf(content.documents, content.about.notes), [content]);
  const regions = useMemo(() => signal<readonly string[]>([]), []);
  // The other parts are there when this runs; those without content have no region.
  useLayoutEffect(() => {
    regions.value = regionNames();
  }, []);
  const [main] = content.documents;
  const own = main === undefined ? [] : [REGIONS[main.kind] ?? main.kind];
  const described = useDescription();
  const description = ({ name, of }: ShownFigure): string | undefined =>
    described({ kind: of ?? main!.kind, pointer: name.startsWith('/') ? name : `/figures/${name}` });
  return (
    <Region name="Summary">
      <dl class="figures">
        {summary.facts.map(([part, of]) => (
          <Part name={part} key={part}>
            <Facts of={of} regions={regions} own={own} description={description} />
          </Part>
        ))}
      </dl>
      <Part name="Explanations">
        <Terms summary={summary} description={description} />
      </Part>
      <Part name="What limits the run">
        <Statements of={summary.statements} regions={regions} own={own} />
      </Part>
      <Part name="The guided reading">
        <Findings of={summary.findings} regions={regions} interval={state?.interval} />
      </Part>
      <Part name="What went wrong">
        <Warnings of={summary.warned} regions={regions} />
      </Part>
      <Notes summary={summary} />
    </Region>
  );
}

/** Descriptions of the figures. */
function Terms(props: {
  readonly summary: Told;
  readonly description: (figure: ShownFigure) => string | undefined;
}): JSX.Element {
  const { summary, description } = props;
  const facts = summary.facts.flatMap(([, of]) => {
    try {
      return of();
    } catch {
      // The list of facts says which part cannot be shown.
      return [];
    }
  });
  return (
    <Explained what="Figures explained" terms={facts.map(({ term, figures }) => [term, description(figures[0]!)])} />
  );
}

interface Linked {
  readonly regions: Signal<readonly string[]>;
}

/** Leads to the first of some parts that the page has. `text` is what it is called; without it, and without a part, it is nothing. */
function See(
  props: Linked & {
    readonly places: Places;
    readonly text?: string;
    readonly name?: string;
    readonly first?: () => void;
  },
): ComponentChildren {
  const { places, regions, text, name, first } = props;
  const place = places.find((one) => regions.value.includes(one));
  if (place === undefined) return text;
  return (
    <>
      {text === undefined ? ' ' : ''}
      <button
        type="button"
        class={text === undefined ? 'link see' : 'link'}
        {...(text === undefined ? {} : { title: `See ${place}` })}
        onClick={() => {
          first?.();
          shownRegion(place);
        }}
      >
        {text ?? `See ${name ?? place}`}
      </button>
    </>
  );
}

function Facts(
  props: Linked & {
    readonly of: () => readonly Fact[];
    readonly own: Places;
    readonly description: (figure: ShownFigure) => string | undefined;
  },
): JSX.Element {
  const { of, regions, own, description } = props;
  return (
    <>
      {of().map(({ term, figures, places = [] }) => (
        <div key={term}>
          <dt title={description(figures[0]!)}>
            <See places={[...places, ...own]} regions={regions} text={term} />
          </dt>
          <dd>
            {figures.map((figure, k) => (
              <span key={figure.name}>
                {k === 0 ? '' : ' / '}
                <Figure {...figure} />
              </span>
            ))}
          </dd>
        </div>
      ))}
    </>
  );
}

function Statements(props: Linked & { readonly of: () => readonly Statement[]; readonly own: Places }): JSX.Element {
  const { of, regions, own } = props;
  return (
    <>
      {of().map(({ sentence, places = [] }, k) => (
        <p class="advice" key={k}>
          {sentence.map((part) => (typeof part === 'string' ? part : <Figure key={part.name} {...part} />))}
          <See places={[...places, ...own]} regions={regions} />
        </p>
      ))}
    </>
  );
}

/** Parts with the tables of a profile. */
const MEASURED: Places = ['Intervals', 'Calls'];

function Findings(
  props: Linked & { readonly of: () => readonly Finding[]; readonly interval: Signal<string> | undefined },
): JSX.Element | null {
  const { of, regions, interval: chosen } = props;
  const findings = of();
  if (findings.length === 0) return null;
  return (
    <ol class="findings">
      {findings.map(({ question, answer, interval }) => (
        <li key={question}>
          {question} <strong>{answer}</strong>
          <See
            places={MEASURED}
            regions={regions}
            {...(interval === undefined || interval === '' ? {} : { name: interval })}
            first={() => {
              if (interval !== undefined && chosen !== undefined) chosen.value = interval;
            }}
          />
        </li>
      ))}
    </ol>
  );
}

function Warnings({ of, regions }: Linked & { readonly of: () => readonly Warned[] }): JSX.Element {
  return (
    <>
      {of().map(({ text, items, places = [] }) => (
        <div role="alert" key={text}>
          <p>
            {text}
            <See places={places} regions={regions} />
          </p>
          {items.length === 0 ? null : (
            <ul>
              {items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </>
  );
}

function Notes({ summary }: { readonly summary: Told }): JSX.Element | null {
  const { notes } = summary;
  // A page without figures has nothing else to say.
  const isAlone = summary.facts.length === 0 && summary.statements().length === 0;
  if (notes.length === 0) return null;
  return (
    <details open={isAlone}>
      <summary>
        {notes.length} {notes.length === 1 ? 'note' : 'notes'} on {isAlone ? 'this page' : 'these figures'}
      </summary>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}
