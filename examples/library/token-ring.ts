/*
 * A token ring: the token circulates among eight stations. A station that has the token sends at most one frame and passes
 * the token on. Mean waiting time of a frame, compared with the closed formula for symmetric stations with one frame per visit
 * (Takagi, _Analysis of Polling Systems_, 1986).
 */
import { add, exponential, mod, NetBuilder, simulate } from 'foretoken';

const STATIONS = 8;
/** Seconds to send a frame, and to pass the token on. */
const [FRAME, WALK] = [1, 0.1];

function meanWait(rate: number): number {
  const n = new NetBuilder('ring');
  const Station = n.range('Station', 0, STATIONS - 1);
  const token = n.place('token', { s: Station }, { initial: [{ s: 0 }] });
  const frames = n.place('frames', { s: Station });

  // The free variable gives each station a separate arrival process with its own clock.
  n.transition('arrive', (t) => {
    const s = t.free('s', Station);
    t.race({ delay: exponential(rate) });
    t.put(frames, { s });
  });
  n.transition('send', (t) => {
    const { s } = t.take(token);
    t.take(frames, { s });
    t.delay(FRAME + WALK);
    t.put(token, { s: mod(add(s, 1), STATIONS) });
  });
  // The inhibitor arc requires that this station has no frame.
  n.transition('pass', (t) => {
    const { s } = t.take(token);
    t.inhibit(frames, { s });
    t.delay(WALK);
    t.put(token, { s: mod(add(s, 1), STATIONS) });
  });
  const { monitors, firings, time } = simulate(n.build(), {
    until: 300_000,
    monitors: { frames: { tokens: 'frames' } },
  });
  // Little's law: mean number = arrival rate × mean waiting time.
  return monitors['frames']!['mean']! / (firings['arrive']! / time);
}

console.log('load  mean wait  exact');
for (const load of [0.2, 0.5, 0.8]) {
  const rate = load / (STATIONS * FRAME);
  const exact = (load * FRAME + WALK * STATIONS * (1 + load / STATIONS)) / (2 * (1 - load - STATIONS * rate * WALK));
  console.log(
    `${load.toFixed(1).padStart(4)}  ${meanWait(rate).toFixed(2).padStart(9)}  ${exact.toFixed(2).padStart(5)}`,
  );
}
