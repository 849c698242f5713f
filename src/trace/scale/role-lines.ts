import type { ArgumentKind } from '../ti/grammar.ts';
import { type Grid, ranksOf } from './process-grid.ts';
import { isPeer } from './recorded-steps.ts';
import { partnerAt, type RoleStep, type Roles } from './roles.ts';
import type { ScalingLaw } from './scaling-law.ts';

/** Arguments with one value for each rank, in forms such as `recvcount*P`. */
const OF_EACH: Readonly<Record<string, readonly ArgumentKind[]>> = {
  gatherv: ['recvcount'],
  scatterv: ['sendcount'],
  allgatherv: ['recvcount', 'disp'],
  alltoallv: ['sendcount', 'recvcount'],
  reducescatter: ['recvcount'],
};

/** Writes the lines of the processes of a grid. */
export class RoleLines {
  readonly #grid: Grid;
  readonly #roles: Roles;
  readonly #law: ScalingLaw;
  /** By process: the recorded rank that represents it. */
  readonly #standIns: Int32Array;

  constructor(grid: Grid, roles: Roles, law: ScalingLaw) {
    this.#grid = grid;
    this.#roles = roles;
    this.#law = law;
    this.#standIns = Int32Array.from({ length: ranksOf(grid) }, (_, rank) => roles.standIn(rank));
  }

  /** The lines of a process, with line feeds. O(steps), plus O(ranks) for each distinct action with one value for each rank. */
  of(rank: number): string {
    const known = new Map<RoleStep, string>();
    let text = '';
    for (const step of this.#roles.of(rank).steps) {
      let line = known.get(step);
      if (line === undefined) {
        line = `${rank} ${this.#words(rank, step).join(' ')}\n`;
        known.set(step, line);
      }
      text += line;
    }
    return text;
  }

  #words(rank: number, { step, offsets }: RoleStep): string[] {
    const { row, words, kinds } = step;
    const { name } = row;
    if (name === 'comm_size') return [name, `${this.#standIns.length}`, ...words.slice(2)];
    const each = OF_EACH[name] ?? [];
    const made: string[] = [name];
    for (let k = 0; k < kinds.length; k++) {
      const kind = kinds[k]!;
      if (each.includes(kind)) {
        const end = kinds.lastIndexOf(kind);
        const values = words.slice(k + 1, end + 2).map(Number);
        const factor = this.#law.of(name, kind, undefined);
        // One by one: a function takes fewer arguments than there can be ranks.
        for (const value of kind === 'disp' ? this.#sums(made, kinds) : this.#values(values, factor)) made.push(value);
        k = end;
      } else made.push(this.#word(rank, step.words[k + 1]!, kind, name, offsets, k));
    }
    return kinds.length === 0 ? [...words] : made;
  }

  #word(rank: number, word: string, kind: ArgumentKind, name: string, offsets: RoleStep['offsets'], k: number): string {
    const offset = offsets[k];
    if (isPeer(kind)) return offset === undefined ? word : `${partnerAt(this.#grid, rank, offset)}`;
    if (kind === 'root') return `${this.#roles.counterpart(Number(word))}`;
    // The partner of a message is beside its count, in a sendRecv behind it.
    const of = name === 'sendRecv' ? offsets[k + 1] : offsets.find((one) => one !== undefined);
    const factor = this.#law.of(name, kind, of);
    return factor === 1 ? word : scaled(Number(word), factor, kind);
  }

  #values(recorded: readonly number[], factor: number): string[] {
    return Array.from(this.#standIns, (standIn) => scaled(recorded[standIn]!, factor, 'count'));
  }

  /** Where the parts of an allgatherv begin, one behind the other. */
  #sums(made: readonly string[], kinds: readonly ArgumentKind[]): string[] {
    const first = 1 + kinds.indexOf('recvcount');
    let sum = 0;
    return Array.from(this.#standIns, (_, k) => {
      const at = sum;
      sum += Number(made[first + k]);
      return `${at}`;
    });
  }
}

/** A count stays whole, and at least 1 if it was. */
function scaled(value: number, factor: number, kind: ArgumentKind): string {
  if (kind === 'flops' || kind === 'seconds') return `${value * factor}`;
  return `${value >= 1 ? Math.max(1, Math.round(value * factor)) : value}`;
}
