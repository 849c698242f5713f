import { FIRST_COLLECTIVE, ROWS, SENDS } from '../ti/grammar.ts';
import { type Grid, ranksOf } from './process-grid.ts';
import { argumentOf } from './recorded-steps.ts';
import { partnerAt, type Role, type RoleStep } from './roles.ts';

const COLLECTIVES: ReadonlySet<string> = new Set(ROWS.slice(FIRST_COLLECTIVE).map(({ name }) => name));

/** A send or receive that has been posted: its number among those of its channel. */
interface Posted {
  readonly channel: Channel;
  readonly number: number;
  readonly isSend: boolean;
  /** True if a send is done only when its receive is posted. */
  readonly waits: boolean;
}

/** Messages from one rank to another with one tag: the n-th receive takes the n-th send. */
interface Channel {
  sends: number;
  receives: number;
}

interface RankState {
  at: number;
  /** Requests that no wait has completed. */
  open: Posted[];
  /** Messages that block the current step. */
  waits: Posted[] | undefined;
  inCollective: boolean;
}

/**
 * True if all processes of a grid come to the end of their steps, apart from times: whatever the order of independent steps. Blocking
 * sends wait for their receives with `synchronous`; each collective is a barrier. Undefined if there are receives from any source.
 * O(steps).
 */
export function completes(grid: Grid, roleOf: (rank: number) => Role, synchronous: boolean): boolean | undefined {
  const ranks = ranksOf(grid);
  const channels = new Map<string, Channel>();
  const states = Array.from(
    { length: ranks },
    (): RankState => ({ at: 0, open: [], waits: undefined, inCollective: false }),
  );
  const queue = Array.from({ length: ranks }, (_, rank) => rank);
  let waiting = 0;
  let any = false;
  const post = (isSend: boolean, rank: number, step: RoleStep, tag: number, waits = synchronous): Posted[] => {
    const offset = step.offsets[step.step.kinds.indexOf(isSend ? 'dst' : 'src')];
    if (offset === undefined || tag < 0) {
      any = true;
      return [];
    }
    const peer = partnerAt(grid, rank, offset);
    const key = isSend ? `${rank} ${peer} ${tag}` : `${peer} ${rank} ${tag}`;
    const channel = channels.get(key) ?? { sends: 0, receives: 0 };
    channels.set(key, channel);
    queue.push(peer);
    return [{ channel, number: isSend ? channel.sends++ : channel.receives++, isSend, waits }];
  };
  const isDone = ({ channel, number, isSend, waits }: Posted): boolean =>
    isSend ? !waits || channel.receives > number : channel.sends > number;
  /** Posts the messages of a step. Returns those that the rank waits for before its next step; undefined for a collective. */
  const begin = (rank: number, one: RoleStep, state: RankState): Posted[] | undefined => {
    const { step } = one;
    const { name } = step.row;
    if (COLLECTIVES.has(name)) return undefined;
    if (name === 'waitall' || name === 'wait') {
      // A wait for one request is taken as one for all: requests are waited for in turn.
      const open = state.open;
      state.open = [];
      return open;
    }
    if (name === 'sendRecv') return [...post(true, rank, one, 0), ...post(false, rank, one, 0)];
    const send = SENDS.get(name);
    if (send === undefined && name !== 'recv' && name !== 'irecv') return [];
    const waits = send?.mode === undefined ? synchronous : send.mode === 'synchronous';
    const tag = argumentOf(step, send === undefined ? 'anytag' : 'tag')!;
    const posted = post(send !== undefined, rank, one, tag, waits);
    if (send?.blocking ?? name === 'recv') return posted;
    state.open.push(...posted);
    return [];
  };
  while (queue.length > 0) {
    const rank = queue.pop()!;
    const state = states[rank]!;
    const { steps } = roleOf(rank);
    while (state.at < steps.length && !state.inCollective) {
      if (state.waits === undefined) {
        const waits = begin(rank, steps[state.at]!, state);
        if (waits === undefined) {
          state.inCollective = true;
          if (++waiting < ranks) break;
          waiting = 0;
          states.forEach((other, k) => {
            other.inCollective = false;
            other.at++;
            queue.push(k);
          });
          continue;
        }
        state.waits = waits;
      }
      if (!state.waits.every(isDone)) break;
      state.waits = undefined;
      state.at++;
    }
  }
  return any ? undefined : states.every(({ at }, rank) => at === roleOf(rank).steps.length);
}
