import type { Petri, PetriTransition } from '../../petri/petri.ts';
import { type Group, grouped, markedOften } from './groups.ts';
import { OUT_INTS } from './growing-memory.ts';
import { EXTRA_WORDS, type HashWords } from './hash-words.ts';
import { hashedDirect, hashedQueue, TABLE_SOURCE } from './hashed-code.ts';
import type { PackedLayout } from './layout.ts';
import { levelsOf, NotPackable, StepCode } from './step-code.ts';
import { MANY_STEPS, plannedSource, StepPlan } from './step-plan.ts';
import { hashAt, lookUps, type StoredRows, storedDirect, storedQueue } from './stored-code.ts';

/** Markings with more words are not passed in locals, but assembled in the row after the last state. */
const MAX_LOCALS = 6;
/** Maximum number of tests and changes of places in the generated code. */
const MAX_TERMS = 1_000_000;
/** Maximum number of transitions per kernel function. */
const PART = 48;
/** Number of successors that are looked up together. */
const BATCH = 256;

/** Byte offsets of the memory regions, embedded in the code as constants. */
export interface Addresses {
  readonly tableAt: number;
  readonly arenaAt: number;
  readonly outAt: number;
  readonly queueAt: number;
  readonly planAt: number;
}

/** Kernel source of an explorer, and the order in which it tests the transitions. */
export interface ExplorerSource {
  readonly text: string;
  readonly order: readonly number[];
  /** Numbers that the kernel reads at `planAt`; empty if all steps are code. */
  readonly plan: readonly number[];
}

/**
 * Generates the kernel that finds successors. States are rows of `arena`, found through `table` (open addressing, linear
 * probing). The low bits of a table entry hold state number + 1, as many bits as the table size requires; the remaining high
 * bits hold part of the hash. Before its final mixing step, the hash is linear in the words of a marking, so the hash of a
 * successor is that of its parent plus a constant.
 *
 * @param manySteps number of transitions from which on their steps are read from a table
 * @param hashes hash compaction: the table holds these hashes only, and rows are those of the frontier
 * @throws NotPackable if the code would be too long, or a sum of counts may exceed 32 bits
 */
export function explorerSource(
  petri: Petri,
  layout: PackedLayout,
  addresses: Addresses,
  shared: boolean,
  manySteps: number = MANY_STEPS,
  hashes?: HashWords,
): ExplorerSource {
  return new Writer(petri, layout, addresses, shared, manySteps, hashes).write();
}

class Writer {
  readonly #petri: Petri;
  readonly #layout: PackedLayout;
  readonly #addresses: Addresses;
  readonly #rows: StoredRows;
  readonly #step: StepCode;
  readonly #locals: boolean;
  readonly #order: number[] = [];
  readonly #parts: string[] = [];
  readonly #plan: StepPlan | undefined;
  readonly #hashes: HashWords | undefined;

  constructor(
    petri: Petri,
    layout: PackedLayout,
    addresses: Addresses,
    shared: boolean,
    manySteps: number,
    hashes: HashWords | undefined,
  ) {
    this.#hashes = hashes;
    this.#addresses = addresses;
    this.#petri = petri;
    this.#layout = layout;
    this.#rows = { words: layout.words, shared };
    this.#step = new StepCode(layout, hashes);
    this.#plan = petri.transitions.length < manySteps ? undefined : new StepPlan(petri, layout, hashes);
    this.#locals = this.#plan === undefined && layout.words - (hashes === undefined ? 0 : EXTRA_WORDS) <= MAX_LOCALS;
  }

  write(): ExplorerSource {
    const terms = this.#petri.transitions.reduce((sum, t) => sum + termsOf(t), 0);
    if (terms > MAX_TERMS) throw new NotPackable(`${terms} tests and changes of places`);
    const body = this.#steps();
    const { words } = this.#layout;
    const { tableAt, arenaAt, outAt, queueAt } = this.#addresses;
    const text = `let table: ints = at(${tableAt}); let arena: ints = at(${arenaAt});
let out: ints = at(${outAt}); let queue: ints = at(${queueAt});
let mask = 0; let next = 0; let end = 0; let full = 0; let overflow = 0; let found = 0; let mode = 0; let written = 0; let dead = 0;
let queueStart = 0; let touched = 0; let missed = 0; let label = 0;
function reached(n: int) { if (mode === 1) { ${this.#locals ? '' : `out[written + ${OUT_INTS}] = label; `}out[written++] = n; } }
function waiting(q: int): int { return ((q - queueStart) / ${this.#entry}) | 0; }
${this.#store()}
${this.#plan === undefined ? '' : plannedSource(this.#addresses.planAt, words, this.#hashes)}
${this.#parts.join('\n')}
function steps(i: int, q0: int): int {
const a = i * ${words};
${this.#hashes === undefined ? hashAt('a', words) : 'const l = 0;'}
const before = found;
let q = q0;
missed = 0;
${this.#locals ? '' : 'begin(a);'}
${body}
return q;
}
export function expand(from: int, to: int): int {
mode = 0;
let q = queueStart;
let first = from;
let atFirst = found;
for (let i = from; i < to; i++) {
const before = found;
const had = waiting(q);
q = steps(i, q);
if (overflow !== 0) { flush(q); q = queueStart; if (full === 0) { found = before + had; return i; } }
else {
if (q - queueStart < ${BATCH * this.#entry} && end - next > ${2 * BATCH + this.#petri.transitions.length}) continue;
flush(q); q = queueStart;
}
if (full !== 0) { found = atFirst; return first; }
first = i + 1; atFirst = found;
}
flush(q);
if (full !== 0) { found = atFirst; return first; }
return to;
}
export function link(from: int, to: int, room: int): int {
mode = 1; written = 0;
let q = queueStart;
const begun = found;
for (let i = from; i < to; i++) {
const before = found + waiting(q);
q = steps(i, q);
const now = found + waiting(q);
out[room + i - from] = now - before;
if (q - queueStart > ${BATCH * this.#entry}) { flush(q); q = queueStart; }
if (now - begun + ${this.#petri.transitions.length} > room) { flush(q); return i + 1; }
}
flush(q);
return to;
}
export function degrees(from: int, to: int) {
mode = 2;
for (let i = from; i < to; i++) {
const before = found;
const q = steps(i, queueStart);
out[i - from] = found - before + waiting(q) + missed;
}
}
${this.#hashes === undefined ? lookUps(this.#rows) : ''}`;
    return { text, order: this.#order, plan: this.#plan?.ints ?? [] };
  }

  /** The table, and how successors are stored. */
  #store(): string {
    const { words } = this.#layout;
    const hashes = this.#hashes;
    if (hashes === undefined) return this.#locals ? storedQueue(this.#rows, this.#entry) : storedDirect(this.#rows);
    return `${hashes.source}
${TABLE_SOURCE}
${this.#locals ? hashedQueue(words, this.#entry) : hashedDirect(words)}`;
  }

  /** Words per successor in the queue: its table entry, its hash, its marking. */
  get #entry(): number {
    return this.#layout.words + 2;
  }

  #words<T>(of: (word: number) => T): T[] {
    return Array.from({ length: this.#layout.words }, (_, k) => of(k));
  }

  /** Calls that test all transitions; adds the called functions to `#parts`. */
  #steps(): string {
    const often = markedOften(this.#petri);
    const { starts, others } = levelsOf(this.#petri);
    const text = starts.map((list, k) => {
      const calls = this.#level(list, often);
      return k === 0 ? calls : `if (found === before && q === q0 && missed === 0) { ${calls} }`;
    });
    return [...text, this.#level(others, often)].join('\n');
  }

  /** Steps of one priority: those that a plan takes, then the others as code. */
  #level(list: readonly number[], often: Float64Array): string {
    const plan = this.#plan;
    if (plan === undefined) return this.#calls(grouped(this.#petri, list, often));
    const planned = (t: number): boolean => StepPlan.takes(this.#petri.transitions[t]!);
    const from = plan.ints.length;
    for (const t of plan.add(grouped(this.#petri, list.filter(planned), often))) this.#order.push(t);
    const code = this.#calls(
      grouped(
        this.#petri,
        list.filter((t) => !planned(t)),
        often,
      ),
    );
    return `planned(${from}, ${plan.ints.length}, a, l); ${code}`;
  }

  #calls(groups: readonly Group[]): string {
    const calls: string[] = [];
    let part: Group[] = [];
    let size = 0;
    const close = (): void => {
      if (part.length > 0) calls.push(this.#part(part));
      part = [];
      size = 0;
    };
    for (const group of groups) {
      for (let k = 0; k < group.transitions.length; k += PART) {
        const piece = { place: group.place, transitions: group.transitions.slice(k, k + PART) };
        if (size + piece.transitions.length > PART) close();
        part.push(piece);
        size += piece.transitions.length;
      }
    }
    close();
    return calls.join(' ');
  }

  #part(groups: readonly Group[]): string {
    const name = `part${this.#parts.length}`;
    const body = groups.map((g) => this.#group(g)).join('\n');
    const used = new Set([...body.matchAll(/\bs(\d+)\b/g)].map((m) => Number(m[1])));
    const loads = this.#words((k) => k)
      .filter((k) => this.#locals || used.has(k))
      .map((k) => `const s${k} = arena[a + ${k}];`);
    const many = this.#locals && this.#petri.transitions.length > BATCH;
    this.#parts.push(
      `function ${name}(a: int, l: int, q0: int): int {\nlet q = q0;\n${loads.join(' ')}\n${body}\nreturn q;\n}`,
    );
    const limit = 2 * BATCH * this.#entry;
    return `q = ${name}(a, l, q);${many ? ` if (q - queueStart > ${limit}) { flush(q); q = queueStart; }` : ''}`;
  }

  #group({ place, transitions }: Group): string {
    const marked = place === undefined ? undefined : this.#step.marked(place);
    const known = marked === undefined ? undefined : place;
    const texts = transitions.map((t) => this.#transition(t, known)).filter((text) => text !== '');
    if (texts.length === 0) return '';
    return marked === undefined ? texts.join('\n') : `if (${marked}) {\n${texts.join('\n')}\n}`;
  }

  #transition(t: number, known: number | undefined): string {
    const transition = this.#petri.transitions[t]!;
    const test = this.#step.test(transition, known);
    const effect = this.#step.effect(transition);
    if (test === undefined || effect === undefined) return '';
    this.#order.push(t);
    const { words, hash, guards } = effect;
    const guarded = guards
      .map((g) => `if (${g.test}) { missed++; if (mode !== 2) overflow = ${g.place + 1}; } else `)
      .join('');
    // A row for hashes is numbered as it is with wider fields: successors behind one that does not fit wait for those.
    const only = this.#hashes !== undefined && this.#layout.fields.some((f) => f?.proved === false);
    return `if (${test}) { ${guarded}${only ? 'if (overflow === 0) ' : ''}{ ${this.#reachCall(t, words, hash)} } }`;
  }

  /** The value of a word that a step does not change; the last one of a hashed row is the address of its predecessor. */
  #kept(word: number): string {
    return this.#hashes !== undefined && word === this.#layout.words - 1 ? 'a' : `s${word}`;
  }

  #reachCall(t: number, words: ReadonlyMap<number, string>, hash: string): string {
    if (this.#locals) {
      const put = this.#words((k) => `queue[q + ${k + 2}] = ${words.get(k) ?? this.#kept(k)};`);
      const label = this.#hashes === undefined ? `queue[q] = ${t}; ` : '';
      return `${label}queue[q + 1] = ${hash}; ${put.join(' ')} q += ${this.#entry};`;
    }
    const at = `arena[next * ${this.#layout.words} + `;
    const put = [...words].map(([k, text]) => `${at}${k}] = ${text};`);
    const back = [...words.keys()].map((k) => `${at}${k}] = s${k};`);
    return `found++; label = ${t}; ${put.join(' ')} reach(${hash}, a); ${back.join(' ')}`;
  }
}

/** Size of a transition. A capacity or inhibitor may sum thousands of places, in thousands of transitions. */
function termsOf({ needs, change, limits }: PetriTransition): number {
  return needs.length + change.length + limits.reduce((sum, l) => sum + l.sum.length, 0);
}
