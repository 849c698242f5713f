import { fail, shown } from '../../../../base/problem.ts';
import type { Site } from '../../../site.ts';
import type { Block, Statement } from '../statements.ts';

/** Maximum number of recorded statements; more are a loop of JavaScript that should be `t.loop`. */
const MAX_RECORDED = 10_000;

/** Statements that make strands or wait for them: all strands of the program are known before it runs. */
const NEEDS_ALL: ReadonlySet<string> = new Set(['parallel', 'parallelFor', 'pipeline', 'spawn', 'sync']);

/** The nested blocks of a program while it is recorded. */
export class RecordedBlocks {
  #block: Statement[] | undefined = [];
  #count = 0;
  readonly #depth: string[] = [];
  /** True if a block of a try is recorded. */
  #inTry = false;
  /** Argument of all blocks. A block that reads a member of the state from it, as in `(s) => s.thread`, gets an error with the remedy. */
  builder: unknown;

  /** The innermost construct around the next statement whose strands execute it, such as a parallel section; undefined: none. */
  get inside(): string | undefined {
    return this.#depth.at(-1);
  }

  /** Ends the recording; returns the body of the program. */
  finish(): Block {
    const body = { statements: this.#block! };
    this.#block = undefined;
    return body;
  }

  /** @throws InputError THR007 after the end of the recording */
  assertOpen(site: Site): void {
    if (this.#block === undefined) fail('THR007', 'the builder is used after the program was built', site.place);
  }

  add(s: Statement): void {
    if (this.#block === undefined)
      fail('THR007', 'the builder is used after the program was built: build must be synchronous', s.site.place);
    if (this.#inTry && (NEEDS_ALL.has(s.kind) || (s.kind === 'object' && s.call === 'barrier')))
      fail(
        'THR006',
        `${s.kind === 'object' ? s.call : s.kind} in a block of a try or of a wait for a limited time, which may not be executed: expected no threads, tasks, waits for tasks and barriers there. Use them before or after it`,
        s.site.place,
      );
    if (++this.#count > MAX_RECORDED)
      fail(
        'THR005',
        `more than ${MAX_RECORDED} statements: write t.loop instead of a loop of JavaScript`,
        s.site.place,
      );
    this.#block.push(s);
  }

  record(body: () => void, site: Site, kind?: string): Block {
    this.assertOpen(site);
    const around = this.#block!;
    const statements: Statement[] = [];
    this.#block = statements;
    if (kind !== undefined) this.#depth.push(kind);
    this.run(body, site);
    if (kind !== undefined) this.#depth.pop();
    this.#block = around;
    return { statements };
  }

  /** Calls a function within, or outside of, the block of a try. */
  tries<T>(inTry: boolean, record: () => T): T {
    const around = this.#inTry;
    this.#inTry = inTry;
    const result = record();
    this.#inTry = around;
    return result;
  }

  run(body: () => void, site: Site): void {
    if (typeof body !== 'function') fail('THR002', `expected a block, got ${shown(body)}`, site.place);
    const result: unknown = (body as (builder: unknown) => unknown)(this.builder);
    if (typeof (result as { then?: unknown } | undefined)?.then === 'function')
      fail('THR007', 'a block returns a promise: blocks must be synchronous', site.place);
  }
}
