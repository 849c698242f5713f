import type { Code } from '../../base/codes.ts';
import { didYouMean, fail, type Place, type Problem, Problems, quote } from '../../base/problem.ts';
import { LONG_RUN, secondsFault } from '../run/checks/run-ranges.ts';
import { checkedHeader, decimal } from '../run/csv-cells.ts';
import { eachCsvRecord } from '../run/csv-lines.ts';
import { spanState } from './span-states.ts';
import type { ReadWorkers } from './worker-spans.ts';
import { begins, counterOf, successorsOf, transition, WORKER_STATES, type WorkerConsumer } from './worker-states.ts';

const HEADER = { worker: true, time: true, state: true, region: false };

/** Units of recorded times, and the number of them in a second. */
export const TIME_UNITS = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;
/** A column of times may name its unit: `time_ns`. */
const TIME_COLUMN = /^time_(?<unit>s|ms|us|ns)$/;
/** Whole numbers over a range from this on are probably no seconds. */
const SUSPECT_RANGE = 1000;
/** Most workers of a run. */
const MAX_WORKERS = 1_000_000;
/** Maximum number of problems reported per file. */
const MAX_PROBLEMS = 20;
/** Region of a file without a column of regions. */
export const WHOLE_RUN = 'all';
/** Word that ends a worker. */
const END = 'END';

/** The last row of a worker; `state` is −1 after an END. */
interface Last {
  readonly name: string;
  time: number;
  state: number;
  /** The user's own state, which refines it. */
  own: string | undefined;
  region: string;
  line: number;
}

/**
 * Reads recorded worker states from CSV: `worker,time,state[,region]`. Each row marks the entry into a state: EXEC, LOCAL,
 * GLOBAL or WAIT; a repeated EXEC or GLOBAL is a transition to itself; END ends the worker. Rows of different workers may
 * come in any order, rows of one worker in the order of time. A state may have the name of the user's own state, `WAIT:locked`; a
 * change of that name alone is no transition. Without a column `region` there is one region. A worker that
 * changes its region may begin in any state; the change is not a transition. Times are in seconds, or in the unit that is given,
 * or that the column names: `time_ns`.
 *
 * Takes O(rows) time and O(workers) memory.
 *
 * @param unit unit of the times; default: the one of the column, or seconds
 * @throws InputError REC001 not readable; REC004 and REC005 columns and cells; WRK001 to WRK006 for sequences of states that
 * are impossible; with file and line
 */
export function readWorkerCsv(path: string, consumer: WorkerConsumer, unit?: TimeUnit): ReadWorkers {
  const problems = new Problems(MAX_PROBLEMS);
  const workers = new Map<string, number>();
  const last: Last[] = [];
  let header: readonly string[] | undefined;
  let own: TimeUnit | undefined;
  let [first, latest, areWhole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  let columns = { worker: 0, time: 0, state: 0, region: -1 };
  eachCsvRecord(path, (cells, line) => {
    const place = { file: path, line };
    if (header === undefined) {
      const units = cells.map((cell) => TIME_COLUMN.exec(cell.trim())?.groups?.['unit'] as TimeUnit | undefined);
      own = units.find((found) => found !== undefined);
      if (own !== undefined && unit !== undefined && own !== unit)
        fail('REC004', `the column time_${own} contradicts the unit ${unit}: expected one of them`, place);
      const names = checkedHeader(
        cells.map((cell, k) => (units[k] === undefined ? cell : 'time')),
        HEADER,
        problems,
        place,
      );
      header = names;
      const at = (name: string): number => names.indexOf(name);
      columns = { worker: at('worker'), time: at('time'), state: at('state'), region: at('region') };
      return;
    }
    if (cells.length !== header.length) {
      problems.add('REC005', `expected ${header.length} cells, got ${cells.length}`, place);
      return;
    }
    const name = cells[columns.worker]!.trim();
    const read = decimal(cells[columns.time]!.trim(), Number.NEGATIVE_INFINITY);
    const time = typeof read === 'number' ? read / TIME_UNITS[unit ?? own ?? 's'] : read;
    const range = typeof time === 'number' ? secondsFault(time) : undefined;
    const word = cells[columns.state]!.trim();
    const found = spanState(word);
    const state = found === undefined ? -1 : WORKER_STATES.indexOf(found.state);
    if (name === '') return problems.add('REC005', 'worker is missing', place);
    if (typeof time === 'string' || range !== undefined)
      return problems.add(
        'REC005',
        `time: ${range === undefined ? time : `${range}; option unit (--unit) or a column time_ns gives the unit`}`,
        place,
      );
    [first, latest] = [Math.min(first, time), Math.max(latest, time)];
    areWhole &&= Number.isInteger(time);
    if (state < 0 && word !== END)
      return problems.add(
        'REC005',
        `state: expected one of ${WORKER_STATES.join(', ')}, ${END}, or one with a state of your own as in WAIT:locked, got ${quote(word)}.${nearest(word)}`,
        place,
      );
    let number = workers.get(name);
    if (number === undefined) {
      number = workers.size;
      if (number === MAX_WORKERS)
        fail('WRK005', `worker ${quote(name)}: expected at most ${MAX_WORKERS} workers`, place);
      workers.set(name, number);
      last.push({ name, time, state: -1, own: undefined, region: '', line });
    }
    const before = last[number]!;
    const isFirst = before.line === line;
    // The END of a worker belongs to the region that it ends.
    const given = columns.region < 0 ? WHOLE_RUN : cells[columns.region]!.trim();
    const region = given === '' && state < 0 ? before.region : given;
    if (region === '') return problems.add('WRK006', 'region: expected a name, got an empty cell', place);
    // Another name for the same state.
    const renames =
      !isFirst && state >= 0 && state === before.state && region === before.region && found?.own !== before.own;
    const fault = isFirst ? undefined : faultOf(before, time, state, region, renames);
    if (isFirst && state < 0) problems.add('WRK001', `worker ${quote(name)}: expected a state before its END`, place);
    else if (fault !== undefined) problems.add(fault.code, `worker ${quote(name)}: ${fault.message}`, place);
    else if (!isFirst && before.state >= 0) {
      consumer.span(number, before.region, before.state, before.time, time);
      if (before.own !== undefined) consumer.own?.(number, before.region, before.own, before.time, time);
      if (state >= 0 && region === before.region && !renames)
        transition(consumer, number, region, counterOf(before.state, state), time);
    }
    if (state >= 0 && region !== before.region) begins(consumer, number, region, state, time);
    before.time = time;
    before.state = state;
    before.own = found?.own;
    before.region = region;
    before.line = line;
  });
  if (header === undefined) fail('REC004', `has no header; expected ${Object.keys(HEADER).join(',')}`, { file: path });
  for (const { name, state, line } of last)
    if (state >= 0)
      problems.add('WRK003', `worker ${quote(name)} never ends: expected a row with the state ${END} after this one`, {
        file: path,
        line,
      });
  problems.end();
  if (last.length === 0) fail('WRK005', 'has no rows: expected at least one worker', { file: path } satisfies Place);
  const range = latest - first;
  // Longer runs are reported whatever their numbers.
  const isSuspect = unit === undefined && own === undefined && areWhole && range >= SUSPECT_RANGE && range <= LONG_RUN;
  return { names: [...workers.keys()], warnings: isSuspect ? [suspectUnit(range, path)] : [] };
}

const suspectUnit = (range: number, file: string): Problem => ({
  code: 'WRK009',
  message: `times are whole numbers over a range of ${range}, which seconds rarely are: give the unit with --unit ns, us, ms or s, or as the column time_ns`,
  place: { file },
});

/** The error message for a row after another row of the same worker; undefined if the sequence is valid. */
function faultOf(
  before: Last,
  time: number,
  state: number,
  region: string,
  renames: boolean,
): { code: Code; message: string } | undefined {
  if (time < before.time)
    return {
      code: 'WRK002',
      message: `time ${time} is before ${before.time} of line ${before.line}: expected no earlier time`,
    };
  if (before.state < 0 && state < 0) return { code: 'WRK004', message: `ended in line ${before.line} already` };
  if (before.state < 0 && region === before.region)
    return {
      code: 'WRK004',
      message: `enters ${WORKER_STATES[state]} after its ${END} in line ${before.line}: expected another region`,
    };
  if (state < 0 && region !== before.region)
    return {
      code: 'WRK001',
      message: `ends in region ${quote(region)}, but is in region ${quote(before.region)} since line ${before.line}`,
    };
  const isEdge = before.state < 0 || state < 0 || region !== before.region;
  if (isEdge || renames || counterOf(before.state, state) >= 0) return undefined;
  const expected = successorsOf(before.state).join(' or ');
  return {
    code: 'WRK001',
    message: `${WORKER_STATES[before.state]} of line ${before.line} cannot be followed by ${WORKER_STATES[state]}: expected ${expected}, or ${END}`,
  };
}

const nearest = (word: string): string => didYouMean(word.toUpperCase(), [...WORKER_STATES, END]);
