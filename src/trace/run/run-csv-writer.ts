import { WholeFile } from '../../base/files/whole-file.ts';
import type { Batch, RunConsumer } from './batch.ts';
import { csvCell } from './csv-lines.ts';
import {
  ABSENT,
  formatPath,
  INTERVAL_KINDS,
  MESSAGE_INSTANTS,
  PHASES,
  RUN_STATES,
  type RunEnd,
  type RunHead,
} from './run-schema.ts';

/**
 * Writes the states and the messages of a run as two CSV files. Numbers have every digit of the double, so that reading
 * the files gives the same figures. Throws InputError REC001 where a file cannot be written; earlier files of these names
 * are unchanged then.
 */
export class RunCsvWriter implements RunConsumer {
  readonly #states: WholeFile;
  readonly #messages: WholeFile | undefined;
  readonly #names: string[] = [];
  #head: RunHead | undefined;

  constructor(states: string, messages: string | undefined) {
    this.#states = new WholeFile(states, 'REC001');
    try {
      this.#messages = messages === undefined ? undefined : new WholeFile(messages, 'REC001');
    } catch (e) {
      this.#states.abort();
      throw e;
    }
    this.#states.write(
      'process,node,start,end,state,call,interval,kind,collective,phase,sequence,bytes,peer,iterations,copies,socket,origin\n',
    );
    this.#messages?.write('source,destination,sent,received,bytes,tag,communicator,call,instant\n');
  }

  head(head: RunHead): void {
    this.#head = head;
  }

  name(name: string): void {
    this.#names.push(name);
  }

  batch(batch: Batch): void {
    if (batch.table === 'states') this.#stateRows(batch);
    else if (batch.table === 'messages' && this.#messages !== undefined) this.#messageRows(batch, this.#messages);
  }

  end(_end: RunEnd): void {
    WholeFile.closeTogether(this.#messages === undefined ? [this.#states] : [this.#messages, this.#states]);
  }

  /** Aborts and removes the files. */
  abort(): void {
    this.#states.abort();
    this.#messages?.abort();
  }

  #stateRows({ columns, count, paths }: Batch): void {
    const { nodes, nodeOf, socketOf, origin } = this.#head!;
    const texts = paths.map((path) => csvCell(formatPath(path)));
    const word = (words: readonly string[], index: number): string => (index === ABSENT ? '' : words[index]!);
    for (let row = 0; row < count; row++) {
      const cell = (name: string): number => columns[name]![row]!;
      const process = cell('process');
      const operation = cell('collective');
      this.#states.write(
        `${[
          process,
          csvCell(nodes[nodeOf[process]!]!.name),
          cell('start'),
          cell('end'),
          RUN_STATES[cell('state')],
          csvCell(word(this.#names, cell('call'))),
          word(texts, cell('interval')),
          word(INTERVAL_KINDS, cell('kind')),
          operation === ABSENT ? '' : csvCell(`${this.#names[operation]}#${cell('execution')}`),
          word(PHASES, cell('phase')),
          shown(cell('sequence')),
          shown(cell('bytes')),
          shown(cell('peer')),
          shown(cell('iterations')),
          shown(cell('copies')),
          nodes[nodeOf[process]!]!.sockets > 1 ? socketOf[process] : '',
          origin,
        ].join(',')}\n`,
      );
    }
  }

  #messageRows({ columns, count }: Batch, file: WholeFile): void {
    for (let row = 0; row < count; row++) {
      const cell = (name: string): number => columns[name]![row]!;
      const call = cell('call');
      file.write(
        `${[
          cell('source'),
          cell('destination'),
          cell('sent'),
          cell('received'),
          cell('bytes'),
          shown(cell('tag')),
          shown(cell('communicator')),
          call === ABSENT ? '' : csvCell(this.#names[call]!),
          cell('instant') === ABSENT ? '' : MESSAGE_INSTANTS[cell('instant')],
        ].join(',')}\n`,
      );
    }
  }
}

const shown = (value: number): string => (value === ABSENT || Number.isNaN(value) ? '' : String(value));
