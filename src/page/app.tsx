import type { JSX } from 'preact';
import { documentOf } from './content.ts';
import { Described, Part, regionOf } from './figure.tsx';
import { Coarse } from './opening.tsx';
import { ResultDocument } from './parts/document.tsx';
import { Histogram } from './parts/histogram.tsx';
import { Measured } from './parts/measured.tsx';
import { NetPart } from './parts/net/net.tsx';
import { Pair } from './parts/pair.tsx';
import { Nodes, Replay } from './parts/replay.tsx';
import { Summary } from './parts/summary.tsx';
import { Timeline } from './parts/timeline.tsx';
import { Workers } from './parts/workers/workers.tsx';
import { savedText } from './record/range-profile.ts';
import { save } from './save.ts';
import type { PageState } from './state.ts';

/** The page: a part that fails says so, and the others stay. */
export function App({ state }: { readonly state: PageState }): JSX.Element {
  const { content, record, problems } = state;
  const [text] = content.texts;
  const diagnosis = documentOf(content, 'diagnosis');
  /** The address has the part that the reader uses. */
  const used = ({ target }: Event): void => {
    const name = target instanceof Element ? regionOf(target) : undefined;
    if (name !== undefined) state.panel.value = name;
  };
  return (
    <Described.Provider value={content.meanings}>
      <header>
        <h1>{content.about.title}</h1>
        {text === undefined ? null : (
          <button
            type="button"
            onClick={() => {
              const [main] = content.documents;
              save(`${main!.kind}.json`, 'application/json', savedText(main!, text, record));
            }}
          >
            Save JSON
          </button>
        )}
      </header>
      {content.documents
        .filter(({ version }) => version !== 1)
        .map(({ kind, version }) => (
          <p role="alert" key={kind}>
            This page knows version 1 of documents, not version {String(version)} of {kind}: its members are listed as
            they are.
          </p>
        ))}
      {[...problems.value, ...state.refused.value].map((problem) => (
        <p role="alert" key={problem}>
          {problem}
        </p>
      ))}
      <main onFocusIn={used} onPointerDown={used}>
        <Part name="Summary">
          <Summary content={content} state={state} />
        </Part>
        {content.pair === undefined ? null : (
          <Part name="The runs">
            <Pair pair={content.pair} />
          </Part>
        )}
        {record !== undefined || content.overview === undefined ? null : (
          <Part name="Timeline">
            <Coarse overview={content.overview} part={content.about.part} rest="The spans cannot be read." />
          </Part>
        )}
        {record === undefined ? null : (
          <>
            <Part name="Timeline">
              <Timeline state={state} record={record} />
            </Part>
            <Part name="Replay">
              <Replay state={state} record={record} />
            </Part>
            <Part name="Nodes">
              <Nodes state={state} record={record} />
            </Part>
          </>
        )}
        <Part name="Tables">
          <Measured state={state} />
        </Part>
        {record === undefined ? null : (
          <Part name="Histogram">
            <Histogram state={state} record={record} />
          </Part>
        )}
        {diagnosis === undefined ? null : (
          <Part name="Workers">
            <Workers document={diagnosis} isMain={content.documents[0] === (diagnosis as unknown)} />
          </Part>
        )}
        {content.documents
          // The tables of a profile are shown below, of any part of the run.
          .filter(({ kind, version }, k) => k === 0 && kind !== 'profile' && !(kind === 'diagnosis' && version === 1))
          .map((document) => (
            <Part name="Document" key={document.kind}>
              <ResultDocument document={document} />
            </Part>
          ))}
        {content.net === undefined ? null : (
          <Part name="Net">
            <NetPart net={content.net} state={state} />
          </Part>
        )}
      </main>
    </Described.Provider>
  );
}
