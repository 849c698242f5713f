import {
  type Block,
  type Future,
  isChoice,
  type RecordedTask,
  type RecordedThreads,
  type Statement,
  type StatementOf,
  statementsOf,
  taskRegion,
} from './statements.ts';
import type { Change } from './threads.ts';

/**
 * A statement that cuts work into tasks or chunks, and can be changed. `number` is its position among all statements of the
 * recorded program; recording the model again with the same number of workers gives the same one.
 */
export interface Cut {
  readonly number: number;
  /** `loop`: a parallel loop; `spawns`: a loop that does nothing but spawn tasks. */
  readonly kind: 'loop' | 'spawns';
  /** In words, with its line. */
  readonly text: string;
  readonly schedule: StatementOf<'parallelFor'>['schedule'];
  readonly isLinear: boolean;
  /** Iterations of a task or chunk if constant; undefined for a function, and for even shares of a static loop. */
  readonly grain: number | undefined;
  /** True if the number of iterations of a task or chunk can be changed: not for even shares. */
  readonly hasGrain: boolean;
  /** True for a loop whose tasks can go to the workers that executed them before. */
  readonly mayHaveAffinity: boolean;
}

/** A change, in words for the reader. */
export interface NamedChange {
  readonly text: string;
  readonly change: Change;
}

/** The cuts of work in a region, with those in tasks that it spawns. Regions are named as in results. */
export function cutsOf(recorded: RecordedThreads, region: string): Cut[] {
  const numbers = new Map([...statementsOf(recorded)].map((s, k) => [s, k]));
  const awaited = new Set([...numbers.keys()].flatMap((s) => (s.kind === 'get' ? [s.future] : [])));
  const cuts: Cut[] = [];
  const seen = new Set<string>();
  const visit = (block: Block, isInSpawns: boolean): void => {
    for (const s of block.statements) {
      const spawns = !isInSpawns && isSpawnLoop(s, awaited);
      if (s.kind === 'parallelFor') cuts.push(loopCut(s, numbers.get(s)!));
      else if (spawns) cuts.push(spawnCut(s, numbers.get(s)!));
      for (const inner of blocksOf(s)) visit(inner, spawns || isInSpawns);
      const task = s.kind === 'spawn' ? recorded.tasks.get(s.task) : undefined;
      if (task === undefined || seen.has(task.name)) continue;
      seen.add(task.name);
      visit(task.body, false);
    }
  };
  for (const s of statementsOfRegion(recorded.body, region)) visit({ statements: [s] }, false);
  return cuts;
}

/** Multiplies the grain of a cut by a factor; at least one iteration. */
export function scaledGrain({ number, text, kind, grain }: Cut, factor: number): NamedChange {
  const scaled = (g: number): number => Math.max(1, Math.round(g * factor));
  const told = grain === undefined ? `× ${factor}` : `${grain} → ${scaled(grain)}`;
  return {
    text: `${kind === 'spawns' ? 'calls of a task' : 'grain'} of the ${text}: ${told}`,
    change: replaced(number, (s) => {
      if (s.kind === 'parallelFor') {
        const { chunk = 1 } = s;
        const value = typeof chunk === 'function' ? chunk : undefined;
        // Larger tasks are fewer ones.
        const changed = s.sizes === 'tasks' ? (tasks: number) => Math.max(1, Math.round(tasks / factor)) : scaled;
        return {
          ...s,
          chunk: value === undefined ? changed(chunk as number) : (state: unknown) => changed(value(state) as number),
        };
      }
      return spawned(s as StatementOf<'loop'>, scaled(1), 'linear');
    }),
  };
}

/**
 * Loops of the main strand that only execute parallel loops of a region: one section around each, whose threads execute the
 * loop and share the iterations. Threads are then forked once.
 */
export function hoistedForks(recorded: RecordedThreads, region: string): NamedChange[] {
  const numbers = new Map([...statementsOf(recorded)].map((s, k) => [s, k]));
  const found: NamedChange[] = [];
  const visit = (block: Block): void => {
    for (const s of block.statements) {
      const inside = s.kind === 'loop' ? s.body.statements : [];
      if (
        s.kind === 'loop' &&
        inside.length > 0 &&
        inside.every((t) => t.kind === 'parallelFor' && t.schedule !== 'tasks') &&
        inside.some((t) => t.kind === 'parallelFor' && t.name === region)
      )
        found.push({
          text: `the loop${s.site.short === '' ? '' : ` at ${s.site.short}`}: a fork in each iteration → one fork around it`,
          change: replaced(numbers.get(s)!, (loop) => ({
            kind: 'parallel',
            site: loop.site,
            name: region,
            threads: (state: { readonly threads: number }) => state.threads,
            team: 'park',
            body: { statements: [loop] },
          })),
        });
      else if (s.kind === 'loop' || s.kind === 'when' || s.kind === 'region' || s.kind === 'module')
        for (const inner of blocksOf(s)) visit(inner);
    }
  };
  visit(recorded.body);
  return found;
}

/** Spawns the tasks of a cut by halves. */
export function spawnedByHalves({ number, text }: Cut): NamedChange {
  return {
    text: `spawning of the ${text}: linear → recursive`,
    change: replaced(number, (s) =>
      s.kind === 'parallelFor' ? { ...s, spawning: 'recursive' } : spawned(s as StatementOf<'loop'>, 1, 'recursive'),
    ),
  };
}

/** Sends the tasks of a loop to the workers that executed them before. */
export function affinityPartitioner({ number, text }: Cut): NamedChange {
  return {
    text: `partitioner of the ${text} → affinity`,
    change: replaced(number, (s) => ({ ...(s as StatementOf<'parallelFor'>), partitioner: 'affinity' })),
  };
}

/** Hands out the iterations of a loop at run time, in chunks of an even share divided by `parts`. */
export function dynamicSchedule({ number, text, schedule }: Cut, parts: number): NamedChange {
  return {
    text: `schedule of the ${text}: ${schedule} → dynamic, ${parts} chunks a thread`,
    change: replaced(number, (s) => {
      const loop = s as StatementOf<'parallelFor'>;
      const count = (state: { readonly threads: number }): number =>
        typeof loop.n === 'function' ? (loop.n as (s: unknown) => number)(state) : (loop.n as number);
      return {
        ...loop,
        schedule: 'dynamic',
        chunk: (state: { readonly threads: number }) => Math.max(1, Math.ceil(count(state) / (parts * state.threads))),
      };
    }),
  };
}

function loopCut(s: StatementOf<'parallelFor'>, number: number): Cut {
  const { schedule, chunk, sizes, spawning, site } = s;
  const hasGrain = chunk !== undefined || schedule !== 'static';
  return {
    number,
    kind: 'loop',
    text: site.short === '' ? 'loop' : `loop at ${site.short}`,
    schedule,
    isLinear: schedule === 'tasks' && spawning === 'linear',
    grain:
      hasGrain && typeof chunk !== 'function' && sizes !== 'tasks' ? ((chunk as number | undefined) ?? 1) : undefined,
    hasGrain,
    mayHaveAffinity:
      schedule === 'tasks' &&
      spawning === 'recursive' &&
      s.partitioner !== 'affinity' &&
      s.reduce === undefined &&
      sizes === undefined &&
      s.nogroup !== true,
  };
}

function spawnCut({ site }: Statement, number: number): Cut {
  const text = site.short === '' ? 'spawning loop' : `spawning loop at ${site.short}`;
  return {
    number,
    kind: 'spawns',
    text,
    schedule: 'tasks',
    isLinear: true,
    grain: 1,
    hasGrain: true,
    mayHaveAffinity: false,
  };
}

/** A loop whose body only spawns tasks that nothing depends on; such loops inside it and conditions are allowed. */
function isSpawnLoop(s: Statement, awaited: ReadonlySet<Future>): s is StatementOf<'loop'> {
  const only = (block: Block): boolean =>
    block.statements.length > 0 &&
    block.statements.every(
      (t) =>
        (t.kind === 'spawn' && t.reads === undefined && t.writes === undefined && !awaited.has(t.future)) ||
        (t.kind === 'loop' && only(t.body)) ||
        (t.kind === 'when' && only(t.holds) && (t.otherwise.statements.length === 0 || only(t.otherwise))),
    );
  return s.kind === 'loop' && only(s.body);
}

/** The loop with its tasks called by iterations that are spawned in chunks. */
function spawned(loop: StatementOf<'loop'>, grain: number, spawning: 'linear' | 'recursive'): Statement {
  const calls = (block: Block): Block => ({
    statements: block.statements.map((s): Statement => {
      if (s.kind === 'spawn') return { kind: 'call', site: s.site, task: s.task, args: s.args };
      if (s.kind === 'when') return { ...s, holds: calls(s.holds), otherwise: calls(s.otherwise) };
      return spawned(s as StatementOf<'loop'>, grain, spawning);
    }),
  });
  const { site, variable, count, body } = loop;
  // Only the innermost loop has a grain.
  const isInner = !body.statements.some(hasLoop);
  return { kind: 'spawnLoop', site, variable, count, grain: isInner ? grain : 1, spawning, body: calls(body) };
}

const hasLoop = (s: Statement): boolean =>
  s.kind === 'loop' || blocksOf(s).some(({ statements }) => statements.some(hasLoop));

/** The statements of the main strand that a region consists of. */
function* statementsOfRegion(block: Block, region: string): Generator<Statement> {
  for (const s of block.statements) {
    if (s.kind === 'module') {
      yield* statementsOfRegion(s.body, region);
      continue;
    }
    const name = s.kind === 'spawn' ? taskRegion(s) : 'name' in s ? s.name : undefined;
    if (s.kind === 'loop' || s.kind === 'when') {
      const spawns = blocksOf(s).some(({ statements }) =>
        statements.some((t) => t.kind === 'spawn' && taskRegion(t) === region),
      );
      if (spawns) yield s;
      else for (const inner of blocksOf(s)) yield* statementsOfRegion(inner, region);
    } else if (name === region) yield s;
  }
}

function blocksOf(s: Statement): readonly Block[] {
  if (isChoice(s)) return [s.holds, s.otherwise];
  if (s.kind === 'pipeline') return s.stages.map(({ body }) => body);
  return 'body' in s ? [s.body] : [];
}

/** Replaces the statement at a position of `statementsOf`. */
function replaced(number: number, by: (s: Statement) => Statement): Change {
  return (recorded) => {
    let next = 0;
    const blockOf = (block: Block): Block => ({ statements: block.statements.map(statementOf) });
    const statementOf = (s: Statement): Statement => {
      const own = next++;
      // Statements inside are counted even if they are replaced.
      const inside = within(s, blockOf);
      return own === number ? by(s) : inside;
    };
    const body = blockOf(recorded.body);
    const tasks = new Map<string, RecordedTask>();
    for (const [name, task] of recorded.tasks) tasks.set(name, { ...task, body: blockOf(task.body) });
    return { ...recorded, body, tasks };
  };
}

function within(s: Statement, blockOf: (block: Block) => Block): Statement {
  if (isChoice(s)) return { ...s, holds: blockOf(s.holds), otherwise: blockOf(s.otherwise) };
  if (s.kind === 'pipeline') return { ...s, stages: s.stages.map((g) => ({ ...g, body: blockOf(g.body) })) };
  return 'body' in s ? { ...s, body: blockOf(s.body) } : s;
}
