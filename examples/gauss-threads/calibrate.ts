import { calibrated, type Parameters, run } from './experiment.ts';
import { THREADS, times } from './figures.ts';

/*
 * Fits three parameters to three printed times of method 1: the rows of a pivot block, a whole number, to back substitution with
 * A1, a factor of the costs of the operating system to back substitution with A0, the number of equations to the total time with
 * A1. The costs in user mode are the defaults. Takes two minutes.
 */
const [total, a0, a1] = times.filter(({ use }) => use === 'fitted').map(({ seconds }) => seconds) as [
  number,
  number,
  number,
];
const back = (scheduler: 'a0' | 'a1', p: Parameters): number => run(1, THREADS, scheduler, p, false).back;

let p: Parameters = calibrated;
for (let round = 0; round < 3; round++) {
  const sizes = [1, 2, 3, 4].map((rows) => ({ rows, seconds: back('a1', { ...p, rows }) }));
  const [nearest] = sizes.sort((x, y) => Math.abs(x.seconds - a1) - Math.abs(y.seconds - a1));
  p = { ...p, rows: nearest!.rows };
  const free = back('a0', { ...p, os: 0 });
  p = { ...p, os: (p.os * (a0 - free)) / (back('a0', p) - free) };
  const whole = run(1, THREADS, 'a1', p);
  const factor = Math.cbrt((total - a1) / (whole.total - whole.back));
  console.log(
    `os ${p.os.toFixed(2)}, rows ${p.rows}, n ${p.n}: A0 ${back('a0', p).toFixed(2)} s, A1 ${back('a1', p).toFixed(2)} s, A1 total ${whole.total.toFixed(2)} s; back substitution of A1 by rows of a block: ${sizes.map(({ rows, seconds }) => `${rows}: ${seconds.toFixed(1)} s`).join(', ')}`,
  );
  p = { ...p, n: 64 * Math.round((p.n * factor) / 64) };
}
