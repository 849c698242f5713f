import type { JSX } from 'preact';
import type { CheaperPart } from '../../../commands/diagnose/cheaper-parts.ts';
import type { DiagnosisDocument } from '../../../commands/diagnose/diagnosis-document.ts';
import type { DiagnosedLine, DiagnosedLock } from '../../../commands/diagnose/ledger-losses.ts';
import { Figure } from '../../figure.tsx';
import { figureColumn, type Show, Table } from '../../table.tsx';

/** Whose figures they are, if not those of the main document. */
export interface Of {
  readonly of?: string;
}

/** Shows the figures of a diagnosis. */
export const shownOf =
  (of: Of): Show =>
  (pointer, value, unit) => <Figure name={pointer} value={value} unit={unit} {...of} />;

/** `pool.ts:7`. */
export const placeOf = ({ file, line }: { readonly file: string; readonly line: number }): string =>
  `${file.split(/[\\/]/).at(-1)}:${line}`;

interface OfDiagnosis {
  readonly document: DiagnosisDocument;
  readonly of: Of;
}

/** Time by source line, and objects for which strands wait. */
export function Lines({ document, of }: OfDiagnosis): JSX.Element | null {
  const { lines = [], locks = [] } = document;
  if (lines.length === 0) return null;
  const ofLines = figureColumn<DiagnosedLine>('diagnosis', '/lines', shownOf(of));
  const ofLocks = figureColumn<DiagnosedLock>('diagnosis', '/locks', shownOf(of));
  return (
    <>
      <Table
        name="Source lines"
        rows={lines}
        columns={[
          { name: 'Line', value: placeOf },
          ...(['executing', 'spinning', 'waiting', 'overhead'] as const).map((key) => ofLines(key, key, 's')),
          ofLines('operations', 'count'),
          ofLines('waits', 'waits'),
        ]}
      />
      {locks.length === 0 ? null : (
        <Table
          name="Locks and other objects"
          rows={locks}
          columns={[
            ofLocks('Object', 'name'),
            ofLocks('kind', 'kind'),
            ofLocks('operations', 'operations'),
            ofLocks('waits', 'count'),
            ofLocks('waited', 'wait', 's'),
            ofLocks('overhead', 'overhead', 's'),
            { name: 'declared', value: placeOf },
          ]}
        />
      )}
    </>
  );
}

/** Gains of lines and locks that are 10 % cheaper. */
export function Cheaper({ document, of }: OfDiagnosis): JSX.Element | null {
  const { runs = 0, parts = [] } = document.cheaper ?? {};
  if (parts.length === 0) return null;
  return (
    <>
      <h3>10 % cheaper lines and locks</h3>
      <p class="note">
        A line works 10 % shorter; of a lock, each tenth operation waits for nobody. Runs of changed programs: {runs}. A
        negative gain: the changed program takes longer.
      </p>
      <Table
        name="Cheaper lines and locks"
        isTitled
        rows={parts}
        columns={[
          { name: 'Cheaper', value: ({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`) },
          { name: 'line', value: placeOf },
          {
            name: 'gain',
            unit: 's',
            about: { kind: 'diagnosis', pointer: '/cheaper/parts/gain' },
            value: ({ gain }) => gain,
            cell: ({ gain }: CheaperPart, k) =>
              gain === undefined ? (
                'does not end'
              ) : (
                <Figure name={`/cheaper/parts/${k}/gain`} value={gain} unit="s" {...of} />
              ),
          },
        ]}
      />
    </>
  );
}
