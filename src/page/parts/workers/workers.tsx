import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type {
  DiagnosedRegion,
  DiagnosedWorker,
  DiagnosisDocument,
  DiagnosisFinding,
} from '../../../commands/diagnose/diagnosis-document.ts';
import { COUNTERS, type Counter } from '../../../trace/workers/worker-states.ts';
import { Chart } from '../../chart.tsx';
import { Figure, FigureList, Region } from '../../figure.tsx';
import { type Column, figureColumn, Table } from '../../table.tsx';
import { LifeCycle } from './life-cycle.tsx';
import { Cheaper, Lines, type Of, placeOf, shownOf } from './source-lines.tsx';

/** Regions of a pool: causes of lost time, the life-cycle of workers with its counters, and the speed-up. */
export function Workers(props: {
  readonly document: DiagnosisDocument;
  /** False where the page has another main document: figures then name this one. */
  readonly isMain: boolean;
}): JSX.Element {
  const { document, isMain } = props;
  const chosen = useSignal(0);
  const worker = useSignal('');
  const of = isMain ? {} : { of: 'diagnosis' };
  const region = document.regions[chosen.value];
  return (
    <Region name="Workers">
      {document.regions.length < 2 ? null : (
        <label class="choice">
          Region{' '}
          <select
            value={chosen.value}
            onChange={(event) => {
              chosen.value = Number(event.currentTarget.value);
              worker.value = '';
            }}
          >
            {document.regions.map(({ name, from }, k) => (
              <option key={`${name} ${from}`} value={k}>
                {name}, from {from} s
              </option>
            ))}
          </select>
        </label>
      )}
      {region === undefined ? (
        <p>No parallel region takes time.</p>
      ) : (
        <OneRegion region={region} pointer={`/regions/${chosen.value}`} of={of} worker={worker} />
      )}
      <Lines document={document} of={of} />
      <Cheaper document={document} of={of} />
      {document.speedup === undefined ? null : <SpeedUp document={document} of={of} />}
    </Region>
  );
}

function OneRegion(props: {
  readonly region: DiagnosedRegion;
  readonly pointer: string;
  readonly of: Of;
  readonly worker: { value: string };
}): JSX.Element {
  const { region, pointer, of, worker } = props;
  const { workers = [] } = region;
  const shown = workers.find(({ worker: name }) => name === worker.value);
  const summed = shown === undefined ? workers : [shown];
  const counters = Object.fromEntries(
    COUNTERS.map((name) => [name, summed.reduce((sum, one) => sum + one.counters[name], 0)]),
  ) as Record<Counter, number>;
  return (
    <>
      <FigureList
        figures={(
          [
            ['Time in the region', 'seconds', 's'],
            ['Workers', 'workersCount', '1'],
            ['Overhead, share', 'activeShare', '1'],
            ['Waiting and idle, share', 'inactiveShare', '1'],
            ['Tasks', 'tasks', '1'],
            ['From the own queue', 'ownTasks', '1'],
            ['From elsewhere', 'otherTasks', '1'],
          ] as const
        ).map(([term, key, unit]) => ({
          term,
          about: { kind: 'diagnosis', pointer: `${pointer}/${key}` },
          value: <Figure name={`${pointer}/${key}`} value={region[key]} unit={unit} {...of} />,
        }))}
      />
      <h3>Causes</h3>
      {region.findings.length === 0 ? (
        <p>No threshold is exceeded.</p>
      ) : (
        <ul>
          {region.findings.map((finding, k) => (
            <li key={`${finding.cause} ${finding.subject?.object} ${finding.subject?.line}`}>
              <Cause finding={finding} pointer={`${pointer}/findings/${k}`} of={of} />
            </li>
          ))}
        </ul>
      )}
      {workers.length === 0 ? (
        <p class="note">Single workers are not listed in this document.</p>
      ) : (
        <>
          <h3>Life-cycle of {shown === undefined ? 'all workers' : `worker ${shown.worker}`}</h3>
          <LifeCycle
            counters={counters}
            seconds={(['exec', 'local', 'global', 'wait'] as const).map((state) =>
              summed.reduce((sum, { seconds }) => sum + seconds[state], 0),
            )}
          />
          <button
            type="button"
            disabled={shown === undefined}
            onClick={() => {
              worker.value = '';
            }}
          >
            All workers
          </button>
          <Table
            name="Workers"
            isTitled
            rows={workers}
            columns={workerColumns(pointer, of)}
            onChoose={(one) => {
              worker.value = one.worker;
            }}
          />
        </>
      )}
    </>
  );
}

function Cause(props: { readonly finding: DiagnosisFinding; readonly pointer: string; readonly of: Of }): JSX.Element {
  const { finding, pointer, of } = props;
  return (
    <>
      <strong>{finding.cause.replaceAll('-', ' ')}</strong>
      {finding.subject === undefined ? '' : `, ${subjectOf(finding.subject)}`}:{' '}
      <Figure name={`${pointer}/secondsLost`} value={finding.secondsLost} unit="s" {...of} /> of the workers’ time.{' '}
      {finding.advice}
      {finding.predictedGain === undefined ? (
        finding.noGain === undefined ? null : (
          ` (no predicted gain: ${finding.noGain})`
        )
      ) : (
        <>
          . The changed program takes {finding.gainIsBound === true ? 'at most ' : ''}
          <Figure name={`${pointer}/predictedGain`} value={finding.predictedGain} unit="s" {...of} /> less.
        </>
      )}{' '}
      Evidence:{' '}
      {finding.evidence.map(({ figure, kind, value, threshold, unit }, k) => (
        <span key={figure}>
          {k === 0 ? '' : ', '}
          {kind === undefined ? '' : `${kind} `}
          {figure.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}{' '}
          {value === undefined ? (
            'infinite'
          ) : (
            <Figure name={`${pointer}/evidence/${k}/value`} value={value} unit={unit} {...of} />
          )}{' '}
          above {Number(threshold.toPrecision(4))}
        </span>
      ))}
    </>
  );
}

/** `mutex m, pool.ts:7`. */
function subjectOf({ object, kind, file, line }: NonNullable<DiagnosisFinding['subject']>): string {
  return `${object === undefined ? '' : `${kind} ${object}, `}${placeOf({ file, line })}`;
}

function workerColumns(pointer: string, of: Of): Column<DiagnosedWorker>[] {
  const column = figureColumn<DiagnosedWorker>('diagnosis', `${pointer}/workers`, shownOf(of));
  return [
    column('Worker', 'worker'),
    ...(['computing', 'overhead', 'waiting', 'idle'] as const).map((key) => column(key, key, 's')),
    column('own tasks', 'ownTasks'),
    column('other tasks', 'otherTasks'),
    ...COUNTERS.map((key) => {
      const words = key.replace(
        /([a-z]+)([A-Z][a-z]+)/,
        (_, a: string, b: string) => `${a.toUpperCase()}→${b.toUpperCase()}`,
      );
      return column(words, `counters/${key}`);
    }),
  ];
}

/** Speed-up over workers, simulated and between its bounds. */
function SpeedUp({ document, of }: { readonly document: DiagnosisDocument; readonly of: Of }): JSX.Element {
  const { points, without = [], ...rest } = document.speedup!;
  return (
    <>
      <h3>Speed-up</h3>
      <FigureList
        figures={(
          [
            ['Work', 'work', 's'],
            ['Span', 'span', 's'],
            ['Parallelism: work / span', 'parallelism', '1'],
            ['Burdened span', 'burdenedSpan', 's'],
          ] as const
        ).map(([term, key, unit]) => ({
          term,
          about: { kind: 'diagnosis', pointer: `/speedup/${key}` },
          value: <Figure name={`/speedup/${key}`} value={rest[key]} unit={unit} {...of} />,
        }))}
      />
      <Chart
        label="Speed-up over workers: the table Speed-up has its numbers"
        xName="workers"
        yName="speed-up"
        unit="1"
        x={points.map(({ workers }) => workers)}
        curves={[
          { name: 'simulated', y: points.map(({ simulated }) => simulated ?? null) },
          { name: 'upper bound', isLaw: true, y: points.map(({ upper }) => upper) },
          { name: 'burdened estimate', isLaw: true, y: points.map(({ lower }) => lower) },
          ...without.map((curve) => ({
            name: `without ${curve.cause}, ${curve.region}`,
            y: curve.points.map(({ simulated }) => simulated ?? null),
          })),
        ]}
      />
      <Table
        name="Speed-up"
        isTitled
        rows={points}
        columns={[
          { name: 'Workers', value: ({ workers }) => workers },
          ...(['simulated', 'upper', 'lower', 'runTime'] as const).map((key) => ({
            name: { simulated: 'Simulated', upper: 'Upper bound', lower: 'Burdened estimate', runTime: 'Run time' }[
              key
            ],
            unit: key === 'runTime' ? 's' : '1',
            about: { kind: 'diagnosis', pointer: `/speedup/points/${key}` },
            value: (point: (typeof points)[number]) => point[key],
            cell: (point: (typeof points)[number], k: number) => (
              <Figure
                name={`/speedup/points/${k}/${key}`}
                value={point[key] ?? null}
                unit={key === 'runTime' ? 's' : '1'}
                {...of}
              />
            ),
          })),
          ...without.map((curve, c) => ({
            name: `Without ${curve.cause}, ${curve.region}: ${curve.change}`,
            value: ({ workers }: (typeof points)[number]) =>
              curve.points.find((point) => point.workers === workers)?.simulated,
            cell: (_: (typeof points)[number], k: number) => (
              <Figure
                name={`/speedup/without/${c}/points/${k}/simulated`}
                value={curve.points[k]!.simulated ?? null}
                unit="1"
                {...of}
              />
            ),
          })),
        ]}
      />
    </>
  );
}
