import type { JSX } from 'preact';
import type { CheaperPart } from '../../../commands/diagnose/cheaper-parts.ts';
import type { DiagnosisDocument } from '../../../commands/diagnose/diagnosis-document.ts';
import type { DiagnosedLine, DiagnosedLock } from '../../../commands/diagnose/ledger-losses.ts';
import { Figure } from '../../figure.tsx';
import { type Column, Table } from '../../table.tsx';

/** Whose figures they are, if not those of the main document. */
export interface Of {
  readonly of?: string;
}

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
  return (
    <>
      <h3>Source lines</h3>
      <Table
        name="Source lines"
        rows={lines}
        columns={[
          { name: 'Line', value: placeOf },
          ...(['executing', 'spinning', 'waiting', 'overhead'] as const).map(
            (key): Column<DiagnosedLine> => ({
              name: key,
              unit: 's',
              value: (one) => one[key],
              cell: (one, k) => <Figure name={`/lines/${k}/${key}`} value={one[key]} unit="s" {...of} />,
            }),
          ),
          { name: 'operations', value: ({ count }) => count },
          { name: 'waits', value: ({ waits }) => waits },
        ]}
      />
      {locks.length === 0 ? null : (
        <>
          <h3>Locks and other objects</h3>
          <Table
            name="Locks and other objects"
            rows={locks}
            columns={[
              { name: 'Object', value: ({ name }) => name },
              { name: 'kind', value: ({ kind }) => kind },
              { name: 'operations', value: ({ operations }) => operations },
              { name: 'waits', value: ({ count }) => count },
              ...(['wait', 'overhead'] as const).map(
                (key): Column<DiagnosedLock> => ({
                  name: key === 'wait' ? 'waited' : key,
                  unit: 's',
                  value: (one) => one[key],
                  cell: (one, k) => <Figure name={`/locks/${k}/${key}`} value={one[key]} unit="s" {...of} />,
                }),
              ),
              { name: 'declared', value: placeOf },
            ]}
          />
        </>
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
        rows={parts}
        columns={[
          { name: 'Cheaper', value: ({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`) },
          { name: 'line', value: placeOf },
          {
            name: 'gain',
            unit: 's',
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
