import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { exponential, NetBuilder, netToJson } from '../dist/cli/index.js';

/*
 * `node bench/start-up.mjs [ROUNDS] [NODE …]`: whole processes of short commands, on this version of Node and those whose programs are
 * given, with an empty and with a filled cache, in turns with `node -e 0` and with SimGrid's replay of the same trace. Needs the built
 * package; SimGrid (Debian: simgrid) and the reference data (FORETOKEN_REFERENCES, default ../shared) for its column. Medians, in ms.
 */
const rounds = Number(process.argv[2] ?? 7);
const nodes = [process.execPath, ...process.argv.slice(3)];
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const folder = mkdtempSync(join(tmpdir(), 'foretoken-start-up-'));

const n = new NetBuilder('repair');
const up = n.place('up', {}, { initial: 2 });
const down = n.place('down', {});
n.transition('fail', (t) => {
  t.take(up);
  t.put(down, {});
  t.race({ delay: exponential(0.1) });
});
n.transition('repair', (t) => {
  t.take(down);
  t.put(up, {});
  t.race({ delay: exponential(1), servers: 'single' });
});
const net = join(folder, 'repair.json');
writeFileSync(net, netToJson(n.build()));

const trace = resolve('examples/stencil/stencil-8.ti');
const platform = resolve('examples/stencil/cluster.xml');
const commands = {
  '--help': ['--help'],
  'predict, 8 ranks': ['predict', trace, '--machine', platform],
  'verify, 8 ranks': ['verify', trace],
  explore: ['explore', net],
  steady: ['steady', net],
};
// If this is set, Node reads all certificates of the system at startup.
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

/** Milliseconds of a process; ends the benchmark if it fails. */
function timed(program, args, env) {
  const begun = performance.now();
  const { status, stderr } = spawnSync(program, args, { env: { ...environment, ...env }, encoding: 'utf8' });
  const elapsed = performance.now() - begun;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return elapsed;
}

/** Milliseconds of SimGrid's replay, as its script measures them; undefined where it is absent. */
function replayed() {
  const script = join(resolve(process.env['FORETOKEN_REFERENCES'] ?? '../shared'), 'limits/simgrid-replay.sh');
  if (!existsSync(script)) return undefined;
  const hosts = join(folder, 'hosts.txt');
  writeFileSync(hosts, Array.from({ length: 8 }, (_, k) => `node-${k}.cluster\n`).join(''));
  const { stdout, stderr } = spawnSync(script, ['8', 'default', trace, platform, hosts], { encoding: 'utf8' });
  const seconds = /wall_s=([\d.]+)/.exec(`${stdout}${stderr}`)?.[1];
  return seconds === undefined ? undefined : 1000 * Number(seconds);
}

const times = new Map();
const add = (key, milliseconds) => {
  if (milliseconds !== undefined) times.set(key, [...(times.get(key) ?? []), milliseconds]);
};
for (let round = 0; round < rounds; round++) {
  add('SimGrid', replayed());
  for (const node of nodes) {
    add(`${node} -e 0`, timed(node, ['-e', '0']));
    for (const [name, args] of Object.entries(commands)) {
      const cache = join(folder, `${nodes.indexOf(node)} ${name}`);
      rmSync(cache, { recursive: true, force: true });
      const run = () => timed(node, ['dist/cli/main.js', ...args], { FORETOKEN_CACHE: cache });
      add(`${node} ${name} cold`, run());
      // The second run may still write what it compiled.
      run();
      add(`${node} ${name} warm`, run());
    }
  }
}
const shown = (key) => (times.has(key) ? Math.round(median(times.get(key))) : '–');
console.log(`SimGrid's replay of the same 8 ranks: ${shown('SimGrid')} ms`);
console.log(
  `| command | ${nodes.map((node) => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()).join(' | ')} |`,
);
console.log(`|---|${nodes.map(() => '---').join('|')}|`);
console.log(`| \`node -e 0\` | ${nodes.map((node) => shown(`${node} -e 0`)).join(' | ')} |`);
for (const name of Object.keys(commands))
  console.log(
    `| ${name} | ${nodes.map((node) => `${shown(`${node} ${name} cold`)}, ${shown(`${node} ${name} warm`)}`).join(' | ')} |`,
  );
rmSync(folder, { recursive: true });
