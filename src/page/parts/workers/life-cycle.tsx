import type { JSX } from 'preact';
import { formatSeconds } from '../../../report/units.ts';
import { type Counter, WORKER_STATES } from '../../../trace/workers/worker-states.ts';

/** Where each state stands, in CSS pixels: the source draws them in the same order. */
const PLACES: Readonly<Record<(typeof WORKER_STATES)[number], readonly [x: number, y: number]>> = {
  EXEC: [120, 50],
  LOCAL: [420, 50],
  GLOBAL: [420, 190],
  WAIT: [120, 190],
};

/** Size of the box of a state. */
const WIDTH = 130;
const HEIGHT = 44;

/** The line of each transition, and the middle of its label. */
const LINES: Readonly<Record<Counter, readonly [path: string, x: number, y: number]>> = {
  execExec: ['M80 28C80 0 160 0 160 26', 120, -2],
  execLocal: ['M185 42H352', 270, 34],
  localExec: ['M355 60H188', 270, 74],
  localGlobal: ['M430 72V165', 476, 120],
  globalGlobal: ['M380 212C380 242 460 242 460 215', 420, 246],
  globalExec: ['M360 175L180 74', 250, 132],
  globalWait: ['M355 184H188', 270, 176],
  waitGlobal: ['M185 200H352', 270, 216],
};

/**
 * The life-cycle of workers: states with their time, transitions with their counters (Pegushin and Kurylev, CN 102918501).
 * `seconds` are in the order of the states.
 */
export function LifeCycle(props: {
  readonly counters: Readonly<Record<Counter, number>>;
  readonly seconds: readonly number[];
}): JSX.Element {
  const { counters, seconds } = props;
  return (
    <svg
      class="cycle"
      viewBox="0 -14 560 272"
      width="560"
      height="272"
      role="img"
      aria-label="Life-cycle of workers: the table Workers has the times and counters"
    >
      <defs>
        <marker id="cycle-end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0L8 4L0 8Z" />
        </marker>
      </defs>
      {(Object.entries(LINES) as [Counter, (typeof LINES)[Counter]][]).map(([name, [path, x, y]]) => (
        <g key={name} class={counters[name] === 0 ? 'unused' : undefined}>
          <path class="arrow" d={path} marker-end="url(#cycle-end)" />
          <text x={x} y={y}>
            {counters[name].toLocaleString('en')}
          </text>
        </g>
      ))}
      {WORKER_STATES.map((state, k) => {
        const [x, y] = PLACES[state];
        return (
          <g key={state}>
            <rect x={x - WIDTH / 2} y={y - HEIGHT / 2} width={WIDTH} height={HEIGHT} rx="6" />
            <text x={x} y={y - 8}>
              {state}
            </text>
            <text x={x} y={y + 10}>
              {formatSeconds(seconds[k] ?? 0)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
