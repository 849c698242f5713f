import { type Signal, useSignal } from '@preact/signals';
import { type ComponentChildren, type Context, createContext, type JSX } from 'preact';
import { useContext, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Meanings, meaningOf } from '../report/meanings.ts';
import { figureName, figureText } from '../report/units.ts';

/** Descriptions of the members of documents by their kinds. */
export const Described: Context<Readonly<Record<string, Meanings>>> = createContext({});

/** A member of a document: the kind of the document, and the pointer (RFC 6901) of the member in a document of this kind. */
export interface About {
  readonly kind: string;
  readonly pointer: string;
}

/** Reads the description of a member; undefined if its schema has none, or the page not its schema. */
export function useDescription(): (about: About | undefined) => string | undefined {
  const all = useContext(Described);
  return (about) => {
    const meanings = about === undefined ? undefined : all[about.kind];
    return meanings === undefined ? undefined : meaningOf(meanings, about!.pointer);
  };
}

/** Terms with their descriptions, for readers without a mouse, and for print: titles show the same to the mouse. */
export function Explained(props: {
  readonly what: string;
  readonly terms: readonly (readonly [term: string, text: string | undefined])[];
}): JSX.Element | null {
  const { what, terms } = props;
  const known = terms.filter(([, text]) => text !== undefined);
  if (known.length === 0) return null;
  return (
    <details class="meanings">
      <summary>{what}</summary>
      <dl>
        {known.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** A list of figures: terms, their values, and what they mean. */
export function FigureList(props: {
  readonly figures: readonly {
    readonly term: string;
    readonly about?: About;
    readonly value: ComponentChildren;
  }[];
}): JSX.Element {
  const { figures } = props;
  const description = useDescription();
  const terms = figures.map(({ term, about }) => [term, description(about)] as const);
  return (
    <>
      <dl class="figures">
        {figures.map(({ term, value }, k) => (
          <div key={term}>
            <dt title={terms[k]![1]}>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Explained what="Figures explained" terms={terms} />
    </>
  );
}

/**
 * A figure of a document. `name` is its key under `figures`, or a pointer (RFC 6901) elsewhere in the document; `value` is that of
 * the document in SI units; `like` names the figure whose format it has, if `name` does not tell it.
 */
export function Figure(props: {
  readonly name: string;
  readonly value: number | null | undefined;
  readonly unit: string;
  readonly of?: string;
  readonly like?: string;
  /** The part of the run that a profile was cut to, if it is not that of the document. */
  readonly range?: { readonly from: number; readonly to: number };
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { name, value, unit, of, like, range, children } = props;
  const known = typeof value === 'number';
  return (
    <data
      data-figure={name}
      value={known ? String(value) : ''}
      {...(of === undefined ? {} : { 'data-document': of })}
      {...(range === undefined ? {} : { 'data-from': String(range.from), 'data-to': String(range.to) })}
    >
      {children ?? figureText(value, unit, like ?? figureName(name))}
    </data>
  );
}

/** Tables of a run record that a page shows row by row. */
export type RecordTable = 'states' | 'calls' | 'messages';

/**
 * A number of a run record, as `--run r.jsonl` writes it. No document has it, so that it is no figure: its pointer has the table, the row
 * among those of the table, from 0, and the member. Of a page that was cut, rows count in the part that the page holds.
 */
export const recordFigure = (
  table: RecordTable,
  row: number,
  key: string,
  value: number,
  text: string,
): JSX.Element => (
  <data data-row={`/${table}/${row}/${key}`} value={String(value)}>
    {text}
  </data>
);

/** A part of a page with a heading: a landmark whose accessible name is the heading. */
export function Region(props: {
  readonly name: string;
  readonly note?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const id = headingOf(props.name);
  return (
    <section aria-labelledby={id} class={`region ${props.name.toLowerCase()}`}>
      <h2 id={id} tabIndex={-1}>
        {props.name}
      </h2>
      {props.note === undefined ? null : <p class="note">{props.note}</p>}
      {props.children}
    </section>
  );
}

/** Brings a region into view, and gives it the focus; false if the page has none of this name. */
export function shownRegion(name: string): boolean {
  const heading = document.getElementById(headingOf(name));
  if (heading?.textContent !== name) return false;
  heading.scrollIntoView();
  heading.focus();
  return true;
}

/** The name of the region that an element is in. */
export const regionOf = (element: Element): string | undefined =>
  element.closest('section.region')?.querySelector('h2')?.textContent ?? undefined;

/** Names of the regions that the page has. */
export const regionNames = (): string[] =>
  [...document.querySelectorAll('section.region > h2')].map((heading) => heading.textContent);

const headingOf = (name: string): string => `part-${name.toLowerCase().replace(/[^a-z]/g, '-')}-heading`;

/** A list of values to choose from. */
export function Choice<Key extends string>(props: {
  readonly name: string;
  /** Values, and their words. */
  readonly of: Readonly<Partial<Record<Key, string>>>;
  readonly value: Key;
  readonly choose: (value: Key) => void;
}): JSX.Element {
  const { name, of, value, choose } = props;
  return (
    <label class="choice">
      {name}{' '}
      <select value={value} onChange={(event) => choose(event.currentTarget.value as Key)}>
        {(Object.entries(of) as [Key, string][]).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A part that scrolls by itself. The keyboard must reach it (axe, scrollable-region-focusable). */
export function Scroll(props: {
  readonly name: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y: see above
    <div class={`scroll ${props.class ?? ''}`} tabIndex={0} role="group" aria-label={`${props.name}, scrollable`}>
      {props.children}
    </div>
  );
}

/** A part that says so where it cannot be shown, and leaves the others. */
export function Part(props: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  const [error] = useErrorBoundary();
  if (error === undefined) return <>{props.children}</>;
  const { message } = error as Error;
  const isShape = error instanceof TypeError || error instanceof RangeError;
  const why = isShape ? `the document lacks a value of it, or has one of another type (${message})` : message;
  return (
    <p role="alert">
      {props.name} cannot be shown: {why}
    </p>
  );
}

/** The width of an element in CSS pixels, at least 200; follows the window. `also` is told of each change. */
export function useWidth(
  box: { readonly current: HTMLElement | null },
  also?: (width: number) => void,
): Signal<number> {
  const width = useSignal(1200);
  useLayoutEffect(() => {
    const element = box.current!;
    const measured = (): void => {
      width.value = Math.max(200, element.clientWidth);
      also?.(width.value);
    };
    measured();
    const observer = new ResizeObserver(measured);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** Distance below the window at which a part is made, in CSS pixels. */
const AHEAD = 300;

/** A part that is made when the reader comes near it, or prints: it costs time that the first picture does not have. */
export function WhenSeen({ make }: { readonly make: () => JSX.Element }): JSX.Element {
  const [isSeen, setSeen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isSeen) return;
    const seen = (): void => setSeen(true);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) seen();
      },
      { rootMargin: `${AHEAD}px` },
    );
    observer.observe(place.current!);
    window.addEventListener('beforeprint', seen);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', seen);
    };
  }, [isSeen]);
  return isSeen ? make() : <div ref={place} class="later" />;
}
