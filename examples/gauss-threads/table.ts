import { calibrated, type Prediction, run } from './experiment.ts';
import { gains, type Method, type Scheduler, THREADS, times } from './figures.ts';

/* Prints the measured figures next to predicted ones. Takes about three minutes. */
const known = new Map<string, Prediction>();
/** Whole runs with THREADS threads; otherwise back substitution only. */
function predicted(method: Method, threads: number, scheduler: Scheduler): Prediction {
  const key = `${method} ${threads} ${scheduler}`;
  let found = known.get(key);
  if (found === undefined) {
    found = run(method, threads, scheduler, undefined, threads === THREADS);
    known.set(key, found);
  }
  return found;
}
const gain = (method: Method, threads: number, from: Scheduler, to: Scheduler): number =>
  (predicted(method, threads, from).back / predicted(method, threads, to).back - 1) * 100;
const name = (s: Scheduler): string => s.toUpperCase();
const line = (text: string, measured: number, found: number, unit: string, error: string, note = ''): void =>
  console.log(
    `${text.padEnd(44)}${measured.toFixed(2).padStart(8)}${found.toFixed(2).padStart(11)} ${unit}${error.padStart(10)}  ${note}`.trimEnd(),
  );
const signed = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(1)}`;

console.log(`${''.padEnd(44)}measured  predicted       error`);
for (const { method, phase, scheduler, seconds, use } of times) {
  const { total, back } = predicted(method, THREADS, scheduler);
  const found = phase === 'total' ? total : back;
  const text = `method ${method}, ${phase}, ${name(scheduler)}`;
  line(text, seconds, found, 's', `${signed((found / seconds - 1) * 100)} %`, use);
}
console.log();
for (const [phase, value] of [
  ['total', (p: Prediction): number => p.total],
  ['back substitution', (p: Prediction): number => p.back],
] as const)
  for (const method of [1, 2] as const)
    for (const [from, to] of [
      ['a0', 'a1'],
      ['a1', 'a2'],
      ['a0', 'a2'],
    ] as const) {
      const seconds = (s: Scheduler): number =>
        times.find((t) => t.method === method && t.phase === phase && t.scheduler === s)!.seconds;
      const measured = (seconds(from) / seconds(to) - 1) * 100;
      const found = (value(predicted(method, THREADS, from)) / value(predicted(method, THREADS, to)) - 1) * 100;
      line(
        `method ${method}, gain of ${phase}, ${name(to)} over ${name(from)}`,
        measured,
        found,
        '%',
        signed(found - measured),
      );
    }
console.log();
for (const { method, from, to, threads, percent } of gains) {
  const found = gain(method, threads, from, to);
  const text = `method ${method}, gain at ${threads} threads, ${name(to)} over ${name(from)}`;
  line(text, percent, found, '%', signed(found - percent));
}
console.log('\nmethod 1, back substitution with 992 threads: gain by number of blockings');
console.log(' blocks  blockings   A1 over A0   A2 over A1');
for (const blocks of [8, 16, 32, 64, 128]) {
  const [a0, a1, a2] = (['a0', 'a1', 'a2'] as const).map((s) => run(1, 992, s, undefined, false, blocks, 64));
  const cells = [a0!.back / a1!.back, a1!.back / a2!.back].map((x) => `${((x - 1) * 100).toFixed(1)} %`.padStart(13));
  console.log(`${String(blocks).padStart(7)}${String(a2!.blockings).padStart(11)}${cells.join('')}`);
}

console.log('\nback substitution by number of threads, in s, and gains');
console.log('method threads      A0      A1      A2   A1 over A0   A2 over A1');
for (const method of [1, 2] as const)
  for (const threads of [32, 64, 128, 496, 992, 1984, 3968, 7936]) {
    const seconds = (['a0', 'a1', 'a2'] as const).map((s) => predicted(method, threads, s).back);
    const cells = ['a1', 'a2'].map((to, k) =>
      `${gain(method, threads, (['a0', 'a1'] as const)[k]!, to as Scheduler).toFixed(2)} %`.padStart(13),
    );
    const row = seconds.map((x) => x.toFixed(2).padStart(8)).join('');
    console.log(`${String(method).padStart(6)}${String(threads).padStart(8)}${row}${cells.join('')}`);
  }

console.log('\nback substitution with 3968 threads, in s, by rows of a pivot block');
console.log('rows   method 1: A0      A1      A2   method 2: A0      A1      A2');
for (const rows of [1, 2, 4]) {
  const cells = ([1, 2] as const).map((method) =>
    (['a0', 'a1', 'a2'] as const)
      .map((s) =>
        run(method, THREADS, s, { ...calibrated, rows }, false)
          .back.toFixed(2)
          .padStart(8),
      )
      .join(''),
  );
  console.log(`${String(rows).padStart(4)}     ${cells.join('      ')}`);
}

console.log(
  '\nmethod 1, back substitution with 992 threads, in s, by blocks of the model, each with the costs of the blocks it represents',
);
console.log('blocks      A0      A1      A2');
for (const blocks of [32, 64, 128, 256]) {
  const seconds = (['a0', 'a1', 'a2'] as const).map((s) => run(1, 992, s, calibrated, false, blocks).back);
  console.log(`${String(blocks).padStart(6)}${seconds.map((x) => x.toFixed(2).padStart(8)).join('')}`);
}
