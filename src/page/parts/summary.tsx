import type { JSX } from 'preact';
import type { Fact, Finding, Sentence, Summary as Told, Warned } from '../../commands/view/summary/findings.ts';
import { summaryOf } from '../../commands/view/summary/summary.ts';
import type { Content } from '../content.ts';
import { Figure, Part, Region, shownRegion } from '../figure.tsx';

/** How long, how efficient, what is lost to what, what to change next: the findings of `view --text`, with links. */
export function Summary({ content }: { readonly content: Pick<Content, 'about' | 'documents'> }): JSX.Element {
  const summary = summaryOf(content.documents, content.about.notes);
  return (
    <Region name="Summary">
      <dl class="figures">
        {summary.facts.map(([part, of]) => (
          <Part name={part} key={part}>
            <Facts of={of} />
          </Part>
        ))}
      </dl>
      <Part name="What limits the run">
        <Statements of={summary.statements} />
      </Part>
      <Part name="The guided reading">
        <Findings of={summary.findings} />
      </Part>
      <Part name="What went wrong">
        <Warnings of={summary.warned} />
      </Part>
      <Notes summary={summary} />
    </Region>
  );
}

function Facts({ of }: { readonly of: () => readonly Fact[] }): JSX.Element {
  return (
    <>
      {of().map(({ term, figures }) => (
        <div key={term}>
          <dt>{term}</dt>
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

function Statements({ of }: { readonly of: () => readonly Sentence[] }): JSX.Element {
  return (
    <>
      {of().map((sentence, k) => (
        <p class="advice" key={k}>
          {sentence.map((part) => (typeof part === 'string' ? part : <Figure key={part.name} {...part} />))}
        </p>
      ))}
    </>
  );
}

function Findings({ of }: { readonly of: () => readonly Finding[] }): JSX.Element | null {
  const findings = of();
  if (findings.length === 0) return null;
  return (
    <ol class="findings">
      {findings.map(({ question, answer, interval }) => (
        <li key={question}>
          {question} <strong>{answer}</strong>
          {interval === undefined || interval === '' ? null : (
            <>
              {' '}
              <button type="button" class="link" onClick={() => shownRegion('Intervals')}>
                See {interval}
              </button>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

function Warnings({ of }: { readonly of: () => readonly Warned[] }): JSX.Element {
  return (
    <>
      {of().map(({ text, items }) => (
        <div role="alert" key={text}>
          <p>{text}</p>
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
