import { fail } from '../../../base/problem.ts';
import type { Parameters } from '../../parameters.ts';
import { dynamicChunks, evenShares, guidedChunks } from '../chunks.ts';
import { type Frame, frameOf, type Team, type TeamLoop } from './frames.ts';
import { acquireMode, ROW, releaseMode } from './rows.ts';
import { inner } from './state.ts';
import type { Statement, StatementOf } from './statements.ts';
import type { StrandWriter } from './strand-writer.ts';

/** Loops whose iterations the threads of a section share. */
export class TeamLoops {
  readonly loops: { readonly name: string; chunkRows: Int32Array; firstStrand: number; fetchRows: Int32Array }[] = [];
  readonly #writer: StrandWriter;
  readonly #numbers = new Map<Statement['site'], number>();

  constructor(writer: StrandWriter) {
    this.#writer = writer;
  }

  /** Writes the rows of one thread. */
  write(f: Frame, team: Team, s: StatementOf<'parallelFor'>, n: number, chunk: number | undefined): void {
    const { site } = s;
    f.own.passes ??= new Map();
    const pass = f.own.passes.get(s) ?? 0;
    f.own.passes.set(s, pass + 1);
    const shared = this.#shared(f, team, s, pass, n, chunk);
    shared.hasTasks ||= f.own.tasks !== undefined;
    if (s.schedule === 'static') this.#staticChunks(f, team, s, n, chunk);
    else {
      const { loops } = shared;
      for (let k = 0; k < loops.length; k++) {
        const loop = loops[(f.member + k) % loops.length]!;
        this.loops[loop]!.fetchRows[f.member] = this.#writer.rows.add(ROW.fetch, site, loop);
      }
    }
    if (s.reduce !== undefined) {
      const lock = (shared.latch >>> 0) + 1;
      this.#writer.rows.add(ROW.acquire, site, lock, acquireMode('lock'));
      this.#writer.compute(f.scope, s.reduce, site);
      this.#writer.rows.add(ROW.release, site, lock, releaseMode('unlock'));
    }
    if (s.nowait) return;
    this.#writer.rows.add(ROW.release, site, shared.latch, releaseMode('arrive'));
    this.#writer.rows.add(ROW.acquire, site, shared.latch, acquireMode('latch'));
  }

  #staticChunks(f: Frame, team: Team, s: StatementOf<'parallelFor'>, n: number, chunk: number | undefined): void {
    if (chunk === undefined) {
      const shares = evenShares(n, team.threads);
      const count = shares[f.member]!;
      const first = f.member * Math.floor(n / team.threads) + Math.min(f.member, n % team.threads);
      if (count > 0) this.#writer.within(f, { first, count, chunk: f.member }, s.body);
      return;
    }
    for (let k = f.member; k * chunk < n; k += team.threads)
      this.#writer.within(f, { first: k * chunk, count: Math.min(chunk, n - k * chunk), chunk: k }, s.body);
  }

  #shared(
    f: Frame,
    team: Team,
    s: StatementOf<'parallelFor'>,
    pass: number,
    n: number,
    chunk: number | undefined,
  ): TeamLoop {
    const key = `${s.site.short} ${this.#statementNumber(s)} ${pass}`;
    const known = team.shared.get(key);
    if (known !== undefined) {
      if (known.n !== n)
        fail(
          'THR006',
          `n: threads of one section disagree on the iterations of a loop: ${known.n} and ${n}`,
          s.site.place,
        );
      if (known.chunk !== chunk)
        fail(
          'THR006',
          `chunk: threads of one section disagree on the chunks of a loop: ${known.chunk} and ${chunk}`,
          s.site.place,
        );
      for (const [name, value] of known.names) if (f.scope[name] !== value) known.names.delete(name);
      return known;
    }
    const latch = this.#writer.latch(s.name, 'latch', team.threads, s.site);
    if (s.reduce !== undefined) this.#writer.latch(`reduction of ${s.name}`, 'mutex', 1, s.site);
    const names = new Map<string, number | Parameters>();
    for (const name in f.scope) if (name !== 'thread') names.set(name, f.scope[name]!);
    const made: TeamLoop = { n, chunk, loops: [], latch, names, hasTasks: false };
    team.shared.set(key, made);
    if (s.schedule === 'static') return made;
    const least = chunk ?? 1;
    if (s.schedule === 'affinity') {
      let first = 0;
      for (const share of evenShares(n, team.threads)) {
        made.loops.push(this.#chunked(team, made, s, first, guidedChunks(share, least, team.threads)));
        first += share;
      }
    } else {
      const sizes = s.schedule === 'dynamic' ? dynamicChunks(n, least) : guidedChunks(n, least, team.threads);
      made.loops.push(this.#chunked(team, made, s, 0, sizes));
    }
    return made;
  }

  #statementNumber({ site }: Statement): number {
    const known = this.#numbers.get(site);
    if (known !== undefined) return known;
    this.#numbers.set(site, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /**
   * A loop whose chunks are handed out at run time. Their rows belong to no strand, and are written after those of all
   * threads of the team.
   */
  #chunked(
    team: Team,
    shared: TeamLoop,
    s: StatementOf<'parallelFor'>,
    first: number,
    sizes: readonly number[],
  ): number {
    const loop = {
      name: s.name,
      chunkRows: new Int32Array(sizes.length),
      firstStrand: team.firstStrand,
      fetchRows: new Int32Array(team.threads).fill(-1),
    };
    const number = this.loops.push(loop) - 1;
    this.#writer.defer(() => {
      let from = first;
      const scope = Object.assign(Object.create(null) as Record<string, number>, Object.fromEntries(shared.names));
      sizes.forEach((count, chunk) => {
        loop.chunkRows[chunk] = this.#writer.rows.count;
        const own = { strand: -1, scope: inner(scope, { first: from, count, chunk }), team: undefined, member: 0 };
        const mayHaveTasks = shared.hasTasks;
        this.#writer.block({ ...frameOf({ ...own, region: -1 }), own: { mayHaveTasks }, chunkOf: s }, s.body);
        this.#writer.rows.add(ROW.chunkEnd, s.site, number);
        from += count;
      });
    });
    return number;
  }
}
