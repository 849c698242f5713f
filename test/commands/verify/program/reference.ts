/*
 * A simple interpreter of small message-passing programs, for tests only. It tries every order of steps. Messages of one
 * sender do not overtake each other, and receives match in the order in which they were posted.
 */

interface Sent {
  readonly to: number;
  readonly tag: number;
}

interface Wanted {
  readonly from: number | null;
  readonly tag: number | null;
}

export type Op =
  | ({ readonly op: 'send' } & Sent)
  | ({ readonly op: 'isend' } & Sent)
  | ({ readonly op: 'recv' } & Wanted)
  | ({ readonly op: 'irecv' } & Wanted)
  | { readonly op: 'waitall' };

interface Item {
  /** Number of the operation in its rank's program. */
  readonly k: number;
  readonly rank: number;
  readonly peer: number | null;
  readonly tag: number | null;
}

interface State {
  readonly at: readonly number[];
  /** By rank: true if it has posted its current operation and waits. */
  readonly inside: readonly boolean[];
  readonly sends: readonly Item[];
  readonly receives: readonly Item[];
  /** Open requests of each rank, by operation. */
  readonly open: readonly (readonly number[])[];
}

export interface ReferenceResult {
  readonly deadlock: boolean;
  readonly lost: boolean;
  readonly starved: boolean;
  readonly race: boolean;
}

/** All outcomes of the program; O(number of interleavings). */
export function reference(programs: readonly (readonly Op[])[], eager: boolean): ReferenceResult {
  const first: State = {
    at: programs.map(() => 0),
    inside: programs.map(() => false),
    sends: [],
    receives: [],
    open: programs.map(() => []),
  };
  const seen = new Set<string>();
  const stack = [first];
  const result = { deadlock: false, lost: false, starved: false, race: false };
  while (stack.length > 0) {
    const state = stack.pop()!;
    const key = JSON.stringify(state);
    if (seen.has(key)) continue;
    seen.add(key);
    const matches = matchesOf(state);
    for (const [, receive] of matches) if (matches.filter(([, r]) => r === receive).length > 1) result.race = true;
    const next = [...matches.map(([s, r]) => matched(state, programs, s, r, eager)), ...posts(state, programs, eager)];
    if (next.length === 0) {
      if (state.at.some((k, r) => k < programs[r]!.length)) result.deadlock = true;
      else {
        if (state.sends.length > 0) result.lost = true;
        if (state.receives.length > 0) result.starved = true;
      }
    }
    stack.push(...next);
  }
  return result;
}

function matchesOf({ sends, receives }: State): [Item, Item][] {
  const fits = (s: Item, r: Item): boolean =>
    s.peer === r.rank && (r.peer === null || r.peer === s.rank) && (r.tag === null || r.tag === s.tag);
  return sends.flatMap((s) =>
    receives.flatMap((r): [Item, Item][] => {
      if (!fits(s, r)) return [];
      const older = sends.some((o) => o.rank === s.rank && o.k < s.k && fits(o, r));
      const before = receives.some((o) => o.rank === r.rank && o.k < r.k && fits(s, o));
      return older || before ? [] : [[s, r]];
    }),
  );
}

function matched(state: State, programs: readonly (readonly Op[])[], s: Item, r: Item, eager: boolean): State {
  const at = [...state.at];
  const inside = [...state.inside];
  const open = state.open.map((o) => [...o]);
  const done = ({ rank, k }: Item, waits: boolean): void => {
    open[rank] = open[rank]!.filter((x) => x !== k);
    if (!waits) return;
    at[rank]!++;
    inside[rank] = false;
  };
  if (!eager) done(s, programs[s.rank]![s.k]!.op === 'send');
  done(r, programs[r.rank]![r.k]!.op === 'recv');
  return {
    at,
    inside,
    open,
    sends: state.sends.filter((x) => x !== s),
    receives: state.receives.filter((x) => x !== r),
  };
}

function posts(state: State, programs: readonly (readonly Op[])[], eager: boolean): State[] {
  return programs.flatMap((program, rank): State[] => {
    const k = state.at[rank]!;
    const op = program[k];
    if (op === undefined || state.inside[rank]) return [];
    const at = [...state.at];
    const inside = [...state.inside];
    const open = state.open.map((o) => [...o]);
    let { sends, receives } = state;
    if (op.op === 'waitall') {
      if (open[rank]!.length > 0) return [];
      at[rank]!++;
    } else if (op.op === 'send' || op.op === 'isend') {
      sends = sorted([...sends, { k, rank, peer: op.to, tag: op.tag }]);
      if (op.op === 'send' && !eager) inside[rank] = true;
      else at[rank]!++;
      if (op.op === 'isend' && !eager) open[rank]!.push(k);
    } else {
      receives = sorted([...receives, { k, rank, peer: op.from, tag: op.tag }]);
      if (op.op === 'recv') inside[rank] = true;
      else {
        at[rank]!++;
        open[rank]!.push(k);
      }
    }
    return [{ at, inside, open, sends, receives }];
  });
}

/** Canonical order of posted operations; the order between different ranks is irrelevant. */
const sorted = (items: readonly Item[]): Item[] => [...items].sort((a, b) => a.rank - b.rank || a.k - b.k);

/** The program as a trace. */
export function traceOf(programs: readonly (readonly Op[])[]): string {
  const lines = programs.flatMap((program, rank) => [
    `${rank} init`,
    ...program.map((op) => {
      if (op.op === 'waitall') return `${rank} waitall`;
      if (op.op === 'send' || op.op === 'isend') return `${rank} ${op.op} ${op.to} ${op.tag} 100`;
      return `${rank} ${op.op} ${op.from ?? -555} ${op.tag ?? -444} 100`;
    }),
    `${rank} finalize`,
  ]);
  return `${lines.join('\n')}\n`;
}
