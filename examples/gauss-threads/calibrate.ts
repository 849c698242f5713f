import { calibrated, type Parameters, run } from './experiment.ts';
import { THREADS, times } from './figures.ts';

/*
 * Fits three parameters to three printed times of method 1: the costs in user mode to back substitution with A1, the costs of
 * the operating system to back substitution with A0, the number of equations to the total time with A1. Takes a minute.
 */
const [total, a0, a1] = times.filter(({ use }) => use === 'fitted').map(({ seconds }) => seconds) as [
  number,
  number,
  number,
];
const back = (scheduler: 'a0' | 'a1', p: Parameters): number => run(1, THREADS, scheduler, p, false).back;

let p: Parameters = { ...calibrated, os: 200, user: 150 };
for (let round = 0; round < 5; round++) {
  const free = run(1, THREADS, 'a1', { ...p, os: 0, user: 0 }, false).back;
  p = { ...p, user: (p.user * (a1 - free)) / (back('a1', p) - free) };
  p = { ...p, os: (p.os * (a0 - free)) / (back('a0', p) - free) };
  const whole = run(1, THREADS, 'a1', p);
  const factor = Math.cbrt((total - a1) / (whole.total - whole.back));
  console.log(
    `os ${p.os.toFixed(1)}, user ${p.user.toFixed(1)}, n ${p.n}: A0 ${back('a0', p).toFixed(2)} s, A1 ${back('a1', p).toFixed(2)} s, A1 total ${whole.total.toFixed(2)} s`,
  );
  p = { ...p, n: 64 * Math.round((p.n * factor) / 64) };
}
