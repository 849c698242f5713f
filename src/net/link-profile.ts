import type { LinkProfile, ServiceLink } from './net.ts';

/** The number of whole repetitions of a profile before `time` of which at least one entry has passed. */
function turnsBefore({ times, period }: LinkProfile, time: number): number {
  return period === undefined ? 0 : Math.max(0, Math.floor((time - times[0]!) / period));
}

/** The value of a profile before its first time. */
export const initialOf = ({ of, initial }: Pick<LinkProfile, 'of' | 'initial'>): number =>
  initial ?? (of === 'latency' ? 0 : 1);

/** The value of a profile at a time. A change at this instant counts. O(entries). */
export function profileValue(profile: LinkProfile, time: number): number {
  const { times, values, period } = profile;
  const turn = turnsBefore(profile, time);
  let value = turn > 0 ? values.at(-1)! : initialOf(profile);
  // At the instant of a first entry, rounding may find the repetition before.
  for (const start of period === undefined ? [0] : [turn * period, (turn + 1) * period])
    times.forEach((at, k) => {
      if (start + at <= time) value = values[k]!;
    });
  return value;
}

/** The first time after `time` at which a profile has an entry; Infinity if there is none. O(entries). */
export function nextChange(profile: LinkProfile, time: number): number {
  const { times, period } = profile;
  const turn = turnsBefore(profile, time);
  for (const start of period === undefined ? [0] : [turn * period, (turn + 1) * period])
    for (const at of times) if (start + at > time) return start + at;
  return Number.POSITIVE_INFINITY;
}

/** The mean of a profile from 0 to `end`. O(entries). */
export function profileMean(profile: LinkProfile, end: number): number {
  if (!(end > 0)) return profileValue(profile, 0);
  const { period } = profile;
  const until = (to: number): number => {
    let sum = 0;
    let now = 0;
    while (now < to) {
      const next = Math.min(to, nextChange(profile, now));
      sum += profileValue(profile, now) * (next - now);
      now = next;
    }
    return sum;
  };
  const turns = turnsBefore(profile, end);
  // The first repetition begins with the initial value; all later ones are equal.
  if (period === undefined || turns < 3) return until(end) / end;
  const two = until(2 * period);
  const whole = two - until(period);
  const rest = until(2 * period + ((end - 2 * period) % period)) - two;
  return (two + whole * Math.floor((end - 2 * period) / period) + rest) / end;
}

/** The mean of the capacity of a link from 0 to `end`, in relation to `capacity`; 0 while the link is down. */
export function capacityMean({ profiles = [] }: ServiceLink, end: number): number {
  const capacity = profiles.find(({ of }) => of === 'capacity');
  const state = profiles.find(({ of }) => of === 'state');
  if (state === undefined) return capacity === undefined ? 1 : profileMean(capacity, end);
  if (capacity === undefined) return profileMean(state, end);
  const both = Math.min(end, Number.MAX_VALUE);
  let sum = 0;
  let now = 0;
  while (now < both) {
    const next = Math.min(both, nextChange(capacity, now), nextChange(state, now));
    sum += profileValue(capacity, now) * profileValue(state, now) * (next - now);
    now = next;
  }
  return both > 0 ? sum / both : profileValue(capacity, 0) * profileValue(state, 0);
}
