import type { Parameters } from '../../parameters.ts';
import { Site } from '../../site.ts';
import { type Frame, frameOf, MAX_COUNT, outsideTeams, type Region, type Team } from './frames.ts';
import { jobOf } from './pending-strands.ts';
import { ABSENCE, type ChunkedLoop, MAX_ROWS, ROW, TEAM, type ThreadProgram } from './rows.ts';
import { leastSize, tasksOf, times } from './size-estimate.ts';
import { inner } from './state.ts';
import type { Argument, Block, RecordedThreads, Statement, StatementOf, TeamKind } from './statements.ts';
import { StrandWriter } from './strand-writer.ts';
import { SyncCalls } from './sync-calls.ts';
import { piecesOf, TaskLoops } from './task-loops.ts';
import { Tasks } from './tasks.ts';
import { TeamLoops } from './team-loops.ts';

/** Options of {@link elaborate}. */
export interface ElaborateOptions {
  readonly name: string;
  readonly params: Parameters;
  readonly workers: number;
  /** Pools, one for each rank. Default 1. */
  readonly pools?: number;
  /**
   * How a strand waits for those that it has spawned: `counter`, where the last one continues it, or `object`, where it
   * waits on a synchronisation object as any thread does. Default `counter`.
   */
  readonly joins?: 'counter' | 'object';
  /** True if the program can be executed again after its end: its objects then get their initial values. Default false. */
  readonly repeats?: boolean;
}

/** Maximum threads of a parallel section, and workers. */
export const MAX_THREADS = 1_000_000;
/** Priorities of threads are integers from −100 to 100. */
const MAX_PRIORITY = 100;

/**
 * Writes the rows of all strands of a thread program: evaluates its functions, loops, recursion and dependences. O(rows).
 *
 * @throws InputError THR004 to THR006, THR008
 */
export function elaborate(recorded: RecordedThreads, options: ElaborateOptions): ThreadProgram {
  const program = new Elaboration(recorded, options).program();
  return recorded.rowChange?.(program) ?? program;
}

class Elaboration {
  readonly #recorded: RecordedThreads;
  readonly #options: ElaborateOptions;
  readonly #writer: StrandWriter;
  readonly #tasks: Tasks;
  readonly #calls: SyncCalls;
  readonly #teamLoops: TeamLoops;
  readonly #taskLoops: TaskLoops;
  /** Threads of the team that waits, by the strand that forks it. */
  readonly #teams = new Map<number, number>();
  #resetJump = -1;

  constructor(recorded: RecordedThreads, options: ElaborateOptions) {
    this.#recorded = recorded;
    this.#options = options;
    this.#writer = new StrandWriter(recorded, options.joins === 'object', (f, body) => this.#block(f, body));
    this.#tasks = new Tasks(this.#writer, recorded.tasks);
    this.#calls = new SyncCalls(this.#writer, recorded.objects);
    this.#teamLoops = new TeamLoops(this.#writer);
    this.#taskLoops = new TaskLoops(this.#writer, this.#tasks);
  }

  program(): ThreadProgram {
    const { name, params, workers, pools = 1 } = this.#options;
    const main = new Site(elaborate);
    const poolRows = new Int32Array(pools + 1);
    for (let rank = 0; rank < pools; rank++)
      this.#writer.strands.add(-1, -1, pools === 1 ? 'main' : `main of rank ${rank}`);
    for (let rank = 0; rank < pools; rank++) {
      const scope = Object.assign(Object.create(null) as Record<string, number | Parameters>, {
        p: params,
        threads: workers,
        thread: 0,
        rank,
      });
      const firstObject = this.#writer.objects.length;
      this.#writer.blocks.ofNextPool();
      this.#calls.declare();
      const frame = frameOf({ strand: rank, scope, team: undefined, member: 0, region: -1 });
      this.#mainRows(frame, main);
      this.#writer.writeDeferred();
      if (this.#options.repeats === true) this.#resetRows(firstObject, main);
      poolRows[rank + 1] = this.#writer.rows.count;
    }
    const { rows, ...ofStatements } = this.#writer.rows.finish();
    return {
      name,
      workers,
      pools,
      poolRows,
      repeats: this.#options.repeats === true,
      ...this.#writer.strands.finish(),
      rows,
      ...ofStatements,
      objects: this.#writer.objects,
      loops: this.#teamLoops.loops satisfies readonly ChunkedLoop[],
      ranges: this.#taskLoops.ranges,
      ...(this.#writer.blocks.count === 0 ? {} : { blocks: this.#writer.blocks.count }),
      groupOwner: this.#writer.groupOwner.finish(),
      groupNext: this.#writer.groupNext.finish(),
      regions: this.#writer.regions,
      regionTasks: this.#writer.regionTasks,
    };
  }

  /** The main strand. One that repeats ends after rows whose number is not known yet. */
  #mainRows(frame: Frame, site: Site): void {
    if (this.#options.repeats !== true) {
      this.#writer.strandRows(frame, this.#recorded.body, site);
      return;
    }
    this.#writer.strands.start[frame.strand] = this.#writer.rows.count;
    this.#block(frame, this.#recorded.body);
    this.#writer.sync(frame, site);
    this.#resetJump = this.#writer.rows.add(ROW.jump, site);
  }

  /** Rows that give the objects of a process their initial values, and the end of its main strand. */
  #resetRows(firstObject: number, site: Site): void {
    this.#writer.rows.setB(this.#resetJump, this.#writer.rows.count);
    for (let object = firstObject; object < this.#writer.objects.length; object++)
      this.#writer.rows.add(ROW.reset, site, object);
    this.#writer.rows.add(ROW.end, site);
  }

  #block(frame: Frame, { statements }: Block): void {
    for (const s of statements) this.#statement(frame, s);
  }

  #statement(f: Frame, s: Statement): void {
    const { site } = s;
    switch (s.kind) {
      case 'compute':
        this.#writer.compute(f.scope, s, site);
        break;
      case 'sleep': {
        const seconds = this.#writer.evaluate.amount(s.seconds, f.scope, 'seconds', site);
        const row = this.#writer.rows.add(ROW.sleep, site, ABSENCE[s.reason]);
        this.#writer.rows.amounts(row, 0, seconds, 0, 0);
        if (s.noise !== undefined) this.#writer.rows.noise(row, s.noise);
        break;
      }
      case 'loop': {
        const count = this.#writer.evaluate.integer(s.count, f.scope, 'count', site, 0, MAX_COUNT);
        if (count > MAX_ROWS && s.body.statements.length > 0) this.#writer.tooMany(site);
        if (s.body.statements.length === 0) break;
        this.#writer.assertRoom(times(count, leastSize(s.body)), site);
        for (let k = 0; k < count; k++) this.#writer.within(f, { [s.variable]: k }, s.body);
        break;
      }
      case 'when':
        this.#block(f, this.#writer.evaluate.truth(s.test, f.scope, site) ? s.holds : s.otherwise);
        break;
      case 'region':
        this.#writer.inRegion(f, s.name, site, () => this.#block({ ...f, isInRegion: true }, s.body));
        break;
      case 'parallel':
        this.#parallel(f, s);
        break;
      case 'parallelFor':
        this.#parallelFor(f, s);
        break;
      case 'pipeline':
        this.#pipeline(f, s);
        break;
      case 'spawn':
        this.#tasks.spawn(f, s);
        break;
      case 'spawnLoop':
        this.#tasks.spawnLoop(f, s);
        break;
      case 'call':
        this.#tasks.call(f, s);
        break;
      case 'sync':
        this.#writer.sync(f, site);
        break;
      case 'get':
        this.#tasks.get(f, s);
        break;
      case 'object':
        this.#calls.call(f, s);
        break;
      case 'try':
        this.#calls.try(f, s);
        break;
      case 'waitUntil':
        this.#calls.waitUntil(f, s);
        break;
      case 'waitFor':
        this.#calls.waitFor(f, s);
        break;
      case 'module':
        // In a composition the strand may be a task, whose state has no thread.
        this.#writer.within(f, { p: s.params, thread: 0 }, s.body);
        break;
    }
  }

  #parallel(f: Frame, s: StatementOf<'parallel'>): void {
    const threads = this.#writer.evaluate.integer(s.threads, f.scope, 'threads', s.site, 1, MAX_THREADS);
    this.#writer.assertRoom(times(threads, { strands: 1 + leastSize(s.body).strands, rows: 2 }), s.site);
    this.#fork(f, s, threads, s.body);
  }

  /** @param tasksOf number of tasks that a thread is: by default one */
  #fork(
    f: Frame,
    {
      name,
      site,
      team: kind,
      priority,
    }: { readonly name: string; readonly site: Site; readonly team: TeamKind; readonly priority?: Argument },
    threads: number,
    body: Block,
    tasksOf: (thread: number) => number = () => 1,
  ): void {
    const waiting = kind === 'new' ? 0 : (this.#teams.get(f.strand) ?? 0);
    if (kind !== 'new') this.#teams.set(f.strand, Math.max(waiting, threads));
    this.#writer.inRegion(f, name, site, (region) => {
      const group = this.#writer.open(f, site);
      const team: Team = { firstStrand: this.#writer.strands.count, threads, shared: new Map(), came: new Map() };
      const futures = this.#writer.known(f);
      const job = jobOf(1, (strand, [thread]) => {
        const scope = inner(f.scope, { thread: thread!, threads });
        const own = { strand, scope, team, member: thread!, region: region.number };
        this.#writer.strandRows(frameOf(own, futures, f.chain), body, site);
      });
      for (let thread = 0; thread < threads; thread++) {
        const child = this.#writer.child(f, group, site, name, thread);
        this.#writer.strands.tasks[child] = tasksOf(thread);
        if (priority !== undefined) {
          const scope = inner(f.scope, { thread, threads });
          const own = this.#writer.evaluate.integer(priority, scope, 'priority', site, -MAX_PRIORITY, MAX_PRIORITY);
          this.#writer.strands.prioritise(child, own);
        }
        this.#writer.ready(child, site, thread < waiting ? TEAM[kind] : TEAM.new);
        this.#writer.later(job, child, thread);
      }
      this.#writer.join(group, site);
    });
  }

  #parallelFor(f: Frame, s: StatementOf<'parallelFor'>): void {
    const { site } = s;
    const n = this.#writer.evaluate.integer(s.n, f.scope, 'n', site, 0, MAX_COUNT);
    const chunk =
      s.chunk === undefined
        ? undefined
        : this.#writer.evaluate.integer(s.chunk, f.scope, s.chunkOption, site, 1, MAX_COUNT);
    if (
      s.schedule !== 'guided' &&
      s.schedule !== 'affinity' &&
      (s.sizes === 'tasks' ? Math.min(n, chunk ?? 1) : n / (chunk ?? 1)) > MAX_ROWS &&
      (s.schedule !== 'static' || chunk !== undefined)
    )
      this.#writer.tooMany(site);
    if (s.schedule === 'tasks') {
      const pieces = piecesOf(n, chunk ?? 1, s.sizes);
      this.#writer.assertRoom(tasksOf(pieces.count, 1, s.body), site);
      if (s.nogroup === true) this.#taskLoops.spawn(f, s, pieces);
      else
        this.#writer.inRegion(f, s.name, site, (region) => {
          if (s.spawning === 'linear') this.#taskLoops.linear(f, s, pieces);
          else {
            if (n > 0) this.#firstPart(f, region);
            if (s.partitioner !== undefined) this.#taskLoops.adaptive(f, s, pieces);
            else this.#taskLoops.recursive(f, s, pieces);
          }
        });
    } else if (f.team === undefined) {
      const threads = this.#options.workers;
      const chunks = (thread: number): number => {
        if (s.schedule !== 'static') return 0;
        if (chunk === undefined) return thread < n ? 1 : 0;
        return Math.max(0, Math.ceil((Math.ceil(n / chunk) - thread) / threads));
      };
      this.#fork(f, s, threads, { statements: [{ ...s, nowait: true }] }, chunks);
    } else this.#teamLoops.write(f, f.team, s, n, chunk);
  }

  /** A strand executes the first part of a loop itself: a task of a main strand begins with the region of the loop. */
  #firstPart({ strand }: Frame, { isMain }: Region): void {
    if (isMain) this.#writer.regionTasks.set(this.#writer.rows.count - 1, 1);
    else if (strand >= 0) this.#writer.strands.tasks[strand]!++;
  }

  /** Items in stages, as tasks: a stage of an item follows the stage before, and in serial stages the item before. */
  #pipeline(f: Frame, s: StatementOf<'pipeline'>): void {
    const { site, stages } = s;
    const items = this.#writer.evaluate.integer(s.items, f.scope, 'items', site, 0, MAX_COUNT);
    const tokens =
      s.tokens === undefined ? items : this.#writer.evaluate.integer(s.tokens, f.scope, 'tokens', site, 1, MAX_COUNT);
    if (items * stages.length > MAX_ROWS) this.#writer.tooMany(site);
    this.#writer.assertRoom(times(items * stages.length, { strands: 1, rows: 2 }), site);
    this.#writer.inRegion(f, s.name, site, () => this.#items(f, s, items, tokens));
  }

  #items(f: Frame, { site, stages }: StatementOf<'pipeline'>, items: number, tokens: number): void {
    if (items === 0) return;
    const group = this.#writer.open(f, site);
    const strands: number[] = [];
    const futures = this.#writer.known(f);
    const jobs = stages.map(({ body }) =>
      jobOf(1, (strand, [item]) => {
        const own = outsideTeams(strand, inner(f.scope, { item: item! }), f);
        this.#writer.strandRows(frameOf(own, futures, f.chain), body, site);
      }),
    );
    for (let item = 0; item < items; item++)
      stages.forEach((stage, k) => {
        const child = this.#writer.child(f, group, site, stage.name);
        const at = strands.push(child) - 1;
        if (k > 0) this.#writer.after(strands[at - 1]!, child);
        // The first stage takes items in order.
        if (item > 0 && (stage.serial || k === 0)) this.#writer.after(strands[at - stages.length]!, child);
        if (k === 0 && item >= tokens) this.#writer.after(strands[(item - tokens + 1) * stages.length - 1]!, child);
        if (this.#writer.strands.conditions[child] === 0) this.#writer.ready(child, site);
        this.#writer.later(jobs[k]!, child, item);
      });
    this.#writer.join(group, site);
  }
}
