import { fail } from '../../base/problem.ts';
import type { Batch, RowPlace, RunSink } from './batch.ts';
import { ABSENT, type Column, type RunEnd, type RunHead, TABLES } from './run-schema.ts';

/**
 * Joins the record files of one run, such as one for each host: each file has the whole head and the rows of some processes.
 * Rows of a process are in one file. The run is complete if all files are; it ends with the last one. Memory: O(names).
 */
export class RunParts implements RunSink {
  readonly #sink: RunSink;
  readonly #names = new Map<string, number>();
  /** Index in the joined record of each name of the current file. */
  #own: number[] = [];
  #file = '';
  #first: { readonly file: string; readonly head: RunHead } | undefined;
  #end: RunEnd | undefined;

  constructor(sink: RunSink) {
    this.#sink = sink;
  }

  /** The following rows are those of another file. */
  begin(file: string): void {
    this.#file = file;
    this.#own = [];
  }

  at(place: RowPlace): void {
    this.#sink.at(place);
  }

  head(head: RunHead): void {
    const first = this.#first;
    if (first === undefined) {
      this.#first = { file: this.#file, head };
      this.#sink.head(head);
      return;
    }
    for (const key of ['origin', 'processes', 'nodes', 'nodeOf', 'socketOf'] as const)
      if (JSON.stringify(head[key]) !== JSON.stringify(first.head[key]))
        fail(
          'REC014',
          `${key}: expected the head of ${first.file}: the files of one run have the same processes and nodes`,
          {
            file: this.#file,
          },
        );
  }

  name(name: string): void {
    let index = this.#names.get(name);
    if (index === undefined) {
      index = this.#names.size;
      this.#names.set(name, index);
      this.#sink.name(name);
    }
    this.#own.push(index);
  }

  batch(batch: Batch): void {
    for (const { name, type } of TABLES[batch.table] as readonly Column[]) {
      if (type !== 'name') continue;
      const cells = batch.columns[name]!;
      for (let row = 0; row < batch.count; row++)
        // An index without a name stays one: it is refused where rows are checked.
        if (cells[row] !== ABSENT) cells[row] = this.#own[cells[row]!] ?? NO_NAME;
    }
    this.#sink.batch(batch);
  }

  end(end: RunEnd): void {
    const before = this.#end;
    this.#end =
      before === undefined
        ? end
        : {
            complete: before.complete && end.complete,
            time: Math.max(before.time, end.time),
            notes: [...before.notes, ...end.notes],
          };
  }

  /** Passes on the end, after the last file. */
  finish(): void {
    this.#sink.end(this.#end!);
  }
}

const NO_NAME = 2 ** 31 - 1;
