import { didYouMean, fail, quote } from '../../base/problem.ts';
import { parseLogGops } from './loggops.ts';
import { type Dependency, type LogGops, OPERATION, type Schedule, type ScheduledOperation } from './schedule.ts';

/** Operations of a schedule: each takes about 200 bytes. */
export const MAX_OPERATIONS = 2_000_000;
const MAX_RANKS = 1 << 18;
/** Sizes and times, in bytes and nanoseconds: sums of them stay exact. */
const MAX_NUMBER = 2 ** 40;
/** CPUs and network interfaces of a rank. */
const MAX_PARTS = 1024;
const MAX_TAG = 2 ** 31 - 1;

interface Word {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** An operation before the ranks are numbered, and its label. */
interface Read extends ScheduledOperation {
  readonly label: string | undefined;
}

/**
 * Reads a schedule in the text format of GOAL (Hoefler, Siebert & Lumsdaine, ICPP 2009), as LogGOPSim takes it: `num_ranks N`, then
 * `rank r { … }` with `label: send 8b to 1 tag 2 cpu 0 nic 0`, `recv 8b from -1`, `calc 100`, `a requires b`, `a irequires b`. A comment
 * `// LogGOPS L=2500 o=1500` gives parameters.
 *
 * @param file for messages
 * @throws InputError GOAL001 … GOAL005, with line and column
 * @complexity O(length + operations log operations)
 */
export function readGoal(text: string, file: string): Schedule {
  return new GoalReader(text, file).read();
}

class GoalReader {
  readonly #file: string;
  readonly #words: Word[];
  readonly #parameters: Partial<LogGops>;
  #at = 0;
  #ranks = 0;
  readonly #operations: Read[] = [];
  readonly #dependencies: { from: number; to: number; started: boolean }[] = [];

  constructor(text: string, file: string) {
    this.#file = file;
    const { words, parameters } = wordsOf(text, (message, word) => this.#fail('GOAL001', message, word));
    this.#words = words;
    this.#parameters = parameters;
  }

  read(): Schedule {
    this.#expect('num_ranks');
    const count = this.#next();
    this.#ranks = this.#number(count, 'the number of ranks', 1, MAX_RANKS);
    const seen = new Map<number, Word>();
    while (this.#peek() !== undefined) {
      this.#expect('rank');
      const word = this.#next();
      const rank = this.#number(word, 'a rank', 0, this.#ranks - 1);
      if (seen.has(rank))
        this.#fail('GOAL003', `rank ${rank} begins twice, first in line ${seen.get(rank)!.line}`, word);
      seen.set(rank, word!);
      this.#rank(rank);
    }
    for (let rank = 0; rank < this.#ranks; rank++)
      if (!seen.has(rank))
        this.#fail('GOAL003', `rank ${rank} of ${this.#ranks} has no block "rank ${rank} { … }"`, count);
    return this.#sorted();
  }

  /** A block in braces. */
  #rank(rank: number): void {
    this.#expect('{');
    const labels = new Map<string, number>();
    const relations: { readonly from: Word; readonly to: Word; readonly started: boolean }[] = [];
    for (;;) {
      const word = this.#next();
      if (word?.text === '}') break;
      if (word === undefined)
        throw this.#fail('GOAL001', 'expected "}" at the end of a rank, got the end of the file', word);
      if (word.text in KINDS) {
        this.#operation(rank, undefined, word);
        continue;
      }
      if (!/^[a-zA-Z][a-zA-Z0-9_]*$/.test(word.text))
        this.#fail('GOAL001', `expected an operation, a label or "}", got ${quote(word.text)}`, word);
      const then = this.#next();
      if (then?.text === ':') {
        if (labels.has(word.text))
          this.#fail('GOAL003', `label ${quote(word.text)} occurs twice in rank ${rank}`, word);
        const kind = this.#next();
        if (kind === undefined || !(kind.text in KINDS))
          throw this.#fail(
            'GOAL001',
            `expected send, recv or calc, got ${shownWord(kind)}.${didYouMean(kind?.text ?? '', Object.keys(KINDS))}`,
            kind,
          );
        labels.set(word.text, this.#operations.length);
        this.#operation(rank, word, kind);
      } else if (then?.text === 'requires' || then?.text === 'irequires') {
        const before = this.#next();
        if (before === undefined) throw this.#fail('GOAL001', 'expected a label, got the end of the file', before);
        relations.push({ from: before, to: word, started: then.text === 'irequires' });
      } else
        this.#fail(
          'GOAL001',
          `expected ":", requires or irequires behind ${quote(word.text)}, got ${shownWord(then)}`,
          then ?? word,
        );
    }
    const known = (word: Word): number =>
      labels.get(word.text) ??
      this.#fail(
        'GOAL002',
        `rank ${rank} has no label ${quote(word.text)}.${didYouMean(word.text, labels.keys())}`,
        word,
      );
    for (const { from, to, started } of relations)
      this.#dependencies.push({ from: known(from), to: known(to), started });
  }

  #operation(rank: number, label: Word | undefined, word: Word): void {
    if (this.#operations.length >= MAX_OPERATIONS)
      this.#fail('GOAL005', `more than ${MAX_OPERATIONS} operations`, word);
    const first = this.#at - 1;
    const kind = KINDS[word.text]!;
    let size: number;
    let [peer, tag, cpu, nic] = [-1, 0, 0, 0];
    if (kind === OPERATION.calc) size = this.#number(this.#next(), 'the nanoseconds of a calc', 0, MAX_NUMBER);
    else {
      const bytes = this.#next();
      const [, digits] = /^(\d+)b$/.exec(bytes?.text ?? '') ?? [];
      if (digits === undefined)
        throw this.#fail('GOAL001', `expected bytes, such as 8b, got ${shownWord(bytes)}`, bytes);
      size = this.#number({ ...bytes!, text: digits }, 'the bytes of a message', 0, MAX_NUMBER);
      this.#expect(kind === OPERATION.send ? 'to' : 'from');
      peer = this.#number(this.#next(), 'a rank', kind === OPERATION.send ? 0 : -1, this.#ranks - 1);
    }
    for (;;) {
      const option = this.#peek()?.text;
      if (option !== 'tag' && option !== 'cpu' && option !== 'nic') break;
      // A label may have the name of an option.
      if ([':', 'requires', 'irequires'].includes(this.#words[this.#at + 1]?.text ?? '')) break;
      if (option !== 'cpu' && kind === OPERATION.calc) this.#fail('GOAL001', `a calc has no ${option}`, this.#peek());
      this.#next();
      const value = this.#next();
      if (option === 'tag') tag = this.#number(value, 'a tag', kind === OPERATION.recv ? -1 : 0, MAX_TAG);
      else if (option === 'cpu') cpu = this.#number(value, 'a CPU', 0, MAX_PARTS - 1);
      else nic = this.#number(value, 'a network interface', 0, MAX_PARTS - 1);
    }
    const words = this.#words
      .slice(first, this.#at)
      .map(({ text }) => text)
      .join(' ');
    this.#operations.push({
      ...{ kind, rank, size, peer, tag, cpu, nic, label: label?.text, line: word.line },
      text: label === undefined ? words : `${label.text}: ${words}`,
    });
  }

  /** Operations in the order of their numbers; dependencies by these numbers, each once. */
  #sorted(): Schedule {
    const order = this.#operations
      .map((_, k) => k)
      .sort((a, b) => {
        const [x, y] = [this.#operations[a]!, this.#operations[b]!];
        return x.rank - y.rank || x.kind - y.kind || a - b;
      });
    const numberOf = new Int32Array(order.length);
    order.forEach((k, number) => {
      numberOf[k] = number;
    });
    const known = new Map<string, Dependency>();
    for (const { from, to, started } of this.#dependencies) {
      const one = { from: numberOf[from]!, to: numberOf[to]!, started };
      known.set(`${one.from} ${one.to} ${started}`, one);
    }
    return {
      ranks: this.#ranks,
      operations: order.map((k) => this.#operations[k]!),
      dependencies: [...known.values()].sort((a, b) => a.from - b.from || a.to - b.to),
      parameters: this.#parameters,
    };
  }

  #peek(): Word | undefined {
    return this.#words[this.#at];
  }

  #next(): Word | undefined {
    return this.#words[this.#at++];
  }

  #expect(text: string): void {
    const word = this.#next();
    if (word?.text !== text) this.#fail('GOAL001', `expected ${quote(text)}, got ${shownWord(word)}`, word);
  }

  #number(word: Word | undefined, what: string, low: number, high: number): number {
    const value = word !== undefined && /^-?\d+$/.test(word.text) ? Number(word.text) : Number.NaN;
    if (value >= low && value <= high) return value;
    throw this.#fail(
      'GOAL004',
      `${what}: expected a whole number from ${low} to ${high}, got ${shownWord(word)}`,
      word,
    );
  }

  #fail(
    code: 'GOAL001' | 'GOAL002' | 'GOAL003' | 'GOAL004' | 'GOAL005',
    message: string,
    word: Word | undefined,
  ): never {
    const at = word ?? this.#words.at(-1);
    return fail(
      code,
      message,
      at === undefined ? { file: this.#file } : { file: this.#file, line: at.line, column: at.column },
    );
  }
}

const KINDS: Readonly<Record<string, ScheduledOperation['kind']>> = Object.assign(Object.create(null), OPERATION);

const shownWord = (word: Word | undefined): string => (word === undefined ? 'the end of the file' : quote(word.text));

/** The words outside comments, and the parameters in a comment. */
function wordsOf(
  text: string,
  wrong: (message: string, word: Word) => never,
): { readonly words: Word[]; readonly parameters: Partial<LogGops> } {
  const words: Word[] = [];
  let parameters: Partial<LogGops> = {};
  let [line, start] = [1, 0];
  const pattern = /\n|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\/\*|[{}:]|[^\s{}:/]+|\//g;
  for (const { 0: piece, index } of text.matchAll(pattern)) {
    const word = { text: piece, line, column: index - start + 1 };
    if (piece === '\n') [line, start] = [line + 1, index + 1];
    else if (piece.startsWith('//')) {
      const [, given] = /^\/\/\s*LogGOPS\b:?(.*)$/i.exec(piece) ?? [];
      if (given !== undefined) parameters = parseLogGops(given, (message) => wrong(message, word));
    } else if (piece === '/*') wrong('expected "*/" at the end of a comment, got the end of the file', word);
    else if (piece.startsWith('/*')) {
      const breaks = piece.split('\n').length - 1;
      if (breaks > 0) [line, start] = [line + breaks, index + piece.lastIndexOf('\n') + 1];
    } else words.push(word);
  }
  return { words, parameters };
}
