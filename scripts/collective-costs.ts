/**
 * Draws docs/images/collective-costs.svg: the time of one call by the algorithms of each set, on 16 to 1,024 ranks.
 *
 *     npx tsx scripts/collective-costs.ts           # about a quarter of an hour
 */
import { writeFileSync } from 'node:fs';
import { cluster, predict } from '../src/index.ts';
import { spmd } from '../src/models.ts';

const OPERATIONS = ['allreduce', 'bcast', 'alltoall'] as const;
const SIZES = [8, 65_536, 1_048_576, 16_777_216];
const RANKS = [16, 64, 256, 1024];
const SETS: Readonly<Record<string, string>> = {
  simgrid: '#777777',
  logarithmic: '#000000',
  ompi: '#0072b2',
  mpich: '#d55e00',
  mvapich2: '#009e73',
  impi: '#cc79a7',
};

const machine = cluster({
  nodes: 1024,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '10GB/s' },
  network: { kind: 'crossbar' },
  eagerBelow: '64KiB',
});

/** The run time of one call in seconds. `bytes`: of the message, in an alltoall per pair of ranks. */
function time(operation: (typeof OPERATIONS)[number], bytes: number, ranks: number, collectives: string): number {
  const model = spmd({
    name: operation,
    build(m) {
      if (operation === 'bcast') m.bcast({ bytes, root: 0 });
      else m[operation]({ bytes });
    },
  });
  return predict(model, { machine, ranks, collectives }).figures.runTime.value!;
}

const [WIDTH, HEIGHT, GAP, LEFT, TOP] = [190, 130, 46, 70, 64];
const parts: string[] = [];
const text = (x: number, y: number, content: string, more = ''): void =>
  void parts.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content}</text>`);
const sizeName = (bytes: number): string =>
  bytes < 1024 ? `${bytes} B` : bytes < 1 << 20 ? `${bytes / 1024} KiB` : `${bytes / (1 << 20)} MiB`;
const timeName = (exponent: number): string =>
  exponent >= 0 ? `${10 ** exponent} s` : exponent >= -3 ? `${10 ** (exponent + 3)} ms` : `${10 ** (exponent + 6)} µs`;

for (const [row, operation] of OPERATIONS.entries()) {
  for (const [column, bytes] of SIZES.entries()) {
    const x0 = LEFT + column * (WIDTH + GAP);
    const y0 = TOP + row * (HEIGHT + GAP);
    const curves = Object.keys(SETS).map((set) => ({
      set,
      times: RANKS.map((ranks) => time(operation, bytes, ranks, set)),
    }));
    process.stderr.write(`${operation} ${bytes} ${JSON.stringify(curves)}\n`);
    const logs = curves.flatMap(({ times }) => times.map(Math.log10));
    const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
    const x = (k: number): number => x0 + (k / (RANKS.length - 1)) * WIDTH;
    const y = (log: number): number => y0 + HEIGHT - ((log - low) / (high - low)) * HEIGHT;
    parts.push(`<rect x="${x0}" y="${y0}" width="${WIDTH}" height="${HEIGHT}" fill="none" stroke="#999"/>`);
    text(x0, y0 - 5, `${operation}, ${sizeName(bytes)}${operation === 'alltoall' ? ' per pair' : ''}`);
    for (let exponent = low; exponent <= high; exponent++) {
      parts.push(`<path d="M${x0} ${y(exponent).toFixed(1)}h${WIDTH}" stroke="#ddd"/>`);
      text(x0 - 4, y(exponent) + 4, timeName(exponent), 'text-anchor="end" font-size="9"');
    }
    for (const [k, ranks] of RANKS.entries())
      text(x(k), y0 + HEIGHT + 13, `${ranks}`, 'text-anchor="middle" font-size="9"');
    for (const { set, times } of curves) {
      const points = times.map((t, k) => `${x(k).toFixed(1)},${y(Math.log10(t)).toFixed(1)}`).join(' ');
      parts.push(`<polyline points="${points}" fill="none" stroke="${SETS[set]}" stroke-width="1.5"/>`);
    }
  }
}
for (const [k, [set, colour]] of Object.entries(SETS).entries()) {
  const x = LEFT + k * 110;
  parts.push(`<path d="M${x} 18h24" stroke="${colour}" stroke-width="2"/>`);
  text(x + 30, 22, set);
}
const [width, height] = [LEFT + 4 * (WIDTH + GAP), TOP + 3 * (HEIGHT + GAP)];
text(LEFT + (4 * (WIDTH + GAP) - GAP) / 2, height - 8, 'ranks', 'text-anchor="middle"');
writeFileSync(
  'docs/images/collective-costs.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<title>Time of one call by the algorithms of six sets, over the number of ranks</title>
<rect width="100%" height="100%" fill="#fff"/>
${parts.join('\n')}
</svg>
`,
);
