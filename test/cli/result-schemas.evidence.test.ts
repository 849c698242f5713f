import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { SpaceDocument } from '../../src/commands/explore/space.ts';
import type { PredictionDocument } from '../../src/commands/predict/prediction.ts';
import { SCHEMA_NAMES } from '../../src/commands/schema/result-documents.ts';
import type { WhatIfDocument } from '../../src/commands/whatif/whatif-result.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { exponential } from '../../src/net/builder/distributions.ts';
import { fcfs } from '../../src/net/builder/stations.ts';
import { netToJson } from '../../src/net/json/json.ts';
import type { Net } from '../../src/net/net.ts';
import { queue as finiteQueue } from '../analysis/markov/stochastic-nets.ts';
import { ALL_EVIDENCE, countCases } from '../effort.ts';
import { philosophers } from '../net/contest-nets.ts';
import { cluster, foretoken, hasComputed, stencil } from './run.ts';
import { faultsOf, schemaOf } from './schemas.ts';
import { warmly } from './warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-schemas-'));
const file = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command with `--json`; its document is valid. There is none of bad input and of a limit before any result. */
async function checked(args: readonly string[], codes: readonly (number | null)[] = [0]): Promise<string> {
  const { code, stdout, stderr } = await warmly([...args, '--json']);
  countCases(1);
  expect(codes, `${args.join(' ')}\n${stderr}`).toContain(code);
  if (code === 2) expect(stdout).toBe('');
  else if (stdout === '') expect([code, stderr]).toEqual([3, expect.stringContaining('before a result was available')]);
  else expect(faultsOf(stdout), args.join(' ')).toEqual([]);
  return stdout;
}

const EXAMPLES = 'examples';
const models = readdirSync(EXAMPLES).filter((name) => existsSync(`${EXAMPLES}/${name}/model.ts`));

/** The arguments of an example for all commands: its model, machine, and the ranks or workers of its page. */
function exampleOf(name: string): { readonly input: string; readonly size: string[]; readonly machine: string[] } {
  const page = readFileSync(`${EXAMPLES}/${name}/README.md`, 'utf8');
  const size = /--(?:ranks|workers) \d+/.exec(page)![0].split(' ');
  const machine = ['--machine', `${EXAMPLES}/${name}/machine.yaml`];
  return { input: `${EXAMPLES}/${name}/model.ts`, size, machine };
}

/** Commands for every example. A command that does not apply to an example refuses it with exit code 2. */
const COMMANDS: readonly ((name: string) => Promise<unknown>)[] = [
  async (name) => {
    const { input, size, machine } = exampleOf(name);
    const first = file(`${name}.json`);
    writeFileSync(first, await checked(['predict', input, ...machine, ...size]));
    await checked(['rerun', first, '--trust']);
    await checked(['compare', first, first]);
  },
  (name) => {
    const { input, size, machine } = exampleOf(name);
    return checked(['predict', input, ...machine, ...size, '--replications', '3'], [0, 2]);
  },
  (name) => {
    const { input, size, machine } = exampleOf(name);
    return checked(['profile', input, ...machine, ...size], [0, 2]);
  },
  (name) => {
    const { input, size, machine } = exampleOf(name);
    const vary = ['--vary', 'machine.speed=x0.5,x1', '--elasticity', 'machine.speed'];
    return checked(['whatif', input, ...machine, ...size, ...vary], [0, 2]);
  },
  (name) => {
    const { input, size } = exampleOf(name);
    return checked(['verify', input, ...size, '--seconds', '5'], [0, 2, 3]);
  },
  (name) => {
    const { input, size, machine } = exampleOf(name);
    return checked(['explore', input, ...machine, ...size, '--max-states', '500'], [0, 2, 3]);
  },
  (name) => {
    const { input, size, machine } = exampleOf(name);
    return checked(['structure', input, ...machine, ...size, '--seconds', '3'], [0, 2, 3]);
  },
  (name) => {
    const { input, size, machine } = exampleOf(name);
    return checked(['diagnose', input, ...machine, ...size, '--no-gain'], [0, 2]);
  },
];

describe('documents of examples', () => {
  // Each example runs one command, and all commands are run; as evidence, each example runs all of them.
  test.each(models.map((name, k) => [name, k] as const))('of %s are valid', async (name, k) => {
    const own = ALL_EVIDENCE ? COMMANDS : [COMMANDS[k % COMMANDS.length]!];
    for (const command of own) await command(name);
  });

  test('of stencil, a trace, are valid', async () => {
    const at = ['--machine', cluster];
    await checked(['predict', stencil, ...at]);
    await checked(['whatif', stencil, ...at, '--vary', 'machine.link.latency=x1,x2']);
    await checked(['verify', stencil]);
    await checked(['profile', stencil, ...at]);
  });

  test.each(ALL_EVIDENCE ? ['too-few-tasks', 'excessive-waiting', 'fine-grain'] : ['too-few-tasks'])(
    'of diagnose-threads, %s, are valid',
    async (name) => {
      const input = `${EXAMPLES}/diagnose-threads/${name}.ts`;
      await checked(['diagnose', input, '--workers', '4', '--speedup']);
      await checked(['verify', input, '--workers', '2', '--max-states', '2000'], [0, 1, 3]);
    },
  );

  test('run records: every line, and their profiles', async () => {
    const record = file('run.jsonl');
    await checked(['predict', stencil, '--machine', cluster, '--run', record]);
    const lines = readFileSync(record, 'utf8').trimEnd().split('\n');
    const validate = schemaOf('run-line');
    expect(lines.filter((line) => !validate(JSON.parse(line)))).toEqual([]);
    expect(validate({ ...(JSON.parse(lines[1]!) as object), undeclared: 1 })).toBe(false);
    await checked(['profile', record]);
    await checked(['profile', record, '--check']);
  });
});

const ofRanks = (name: string, body: string): string => {
  const path = file(`${name}.ts`);
  const head = "import { spmd, threads } from 'foretoken/models';\n";
  writeFileSync(path, `${head}export default ${body};\n`);
  return path;
};
const stuck = ofRanks('stuck', "spmd({ name: 'stuck', build: (m) => m.recv({ from: ({ rank }) => 1 - rank }) })");
const forks = ofRanks(
  'forks',
  `threads({ name: 'forks', build(t) {
  const fork = t.mutex('fork', 2);
  t.parallel(2, () => {
    t.lock(fork, ({ thread }) => thread);
    t.compute({ seconds: 1e-3 });
    t.lock(fork, ({ thread }) => 1 - thread);
    t.unlock(fork, ({ thread }) => thread);
    t.unlock(fork, ({ thread }) => 1 - thread);
  });
} })`,
);

const netFile = (name: string, net: Net): string => {
  const path = file(`${name}.json`);
  writeFileSync(path, netToJson(net));
  return path;
};
const three = netFile('three', philosophers(3));
/** About 10¹² states. */
const endless = netFile('endless', philosophers(25));
const queue = netFile('mm1', queueNet());
const repair = netFile('repair', finiteQueue(1, 2, 5));

function queueNet(): Net {
  const n = new NetBuilder('mm1');
  const desk = n.place('desk', {}, { service: fcfs({ time: exponential(1) }), kind: 'resource' });
  n.transition('arrive', (t) => {
    t.race({ delay: exponential(0.5) });
    t.put(desk, {});
  });
  n.transition('leave', (t) => t.take(desk));
  return n.build();
}

/** Documents of deadlocks, violated properties, limits and failed scenarios, by their exit codes. */
const FAULTS: readonly (readonly [title: string, code: number, args: readonly string[]])[] = [
  ['a deadlock of ranks, predicted', 1, ['predict', stuck, '--ranks', '2']],
  ['a deadlock of ranks, verified', 1, ['verify', stuck, '--ranks', '2']],
  ['a deadlock of ranks, profiled', 1, ['profile', stuck, '--ranks', '2']],
  ['a deadlock of threads, predicted', 1, ['predict', forks, '--workers', '2']],
  ['a deadlock of threads, verified', 1, ['verify', forks, '--workers', '2']],
  ['a deadlock of threads, diagnosed', 1, ['diagnose', forks, '--workers', '2']],
  ['failed scenarios', 1, ['whatif', stuck, '--vary', 'ranks=2,4']],
  ['a violated property', 1, ['verify', three]],
  ['a net and its structure', 0, ['structure', three, '--unreachable', 'tokens(Eat) >= 2']],
  ['a steady state', 0, ['steady', repair]],
  ['a steady state without figures', 3, ['steady', repair, '--method', 'ctmc', '--max-states', '2']],
  ['bounds of a net', 0, ['steady', repair, '--method', 'bounds']],
  ['all methods', 0, ['steady', repair, '--method', 'all', '--precision', '10%']],
  ['a complete space', 0, ['explore', three, '--bounds', 'Eat']],
  ['an incomplete space', 3, ['explore', endless, '--max-states', '1000']],
  ['an undecided property', 3, ['verify', endless, '-p', 'live', '--max-states', '1000']],
  ['a run of a net, cut', 3, ['predict', queue, '--max-steps', '100']],
  ['replications of a net', 0, ['predict', queue, '--until', '100', '--replications', '5']],
  ['a study of a net', 0, ['whatif', queue, '--vary', 'servers.desk=1,2', '--until', '100', '--replications', '3']],
];

describe('documents of faults and limits', () => {
  test.each(FAULTS)('of %s are valid', async (_, code, args) => {
    await checked(args, [code]);
  });

  test('of an interruption are valid', async () => {
    const { code, stdout } = await foretoken(['explore', endless, '--json'], {
      during: async (child) => {
        await hasComputed(child, 2.5);
        child.kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    expect(faultsOf(stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, truncation: 'interrupted' });
  });

  test('firing sequences are valid', async () => {
    const way = file('way.json');
    await checked(['verify', three, '--witness', way], [1]);
    expect(faultsOf(readFileSync(way, 'utf8'))).toEqual([]);
  });

  test('bad input gives no document', async () => {
    expect(await checked(['predict', file('missing.ts')], [2])).toBe('');
  });
});

describe('errors of figures', () => {
  test('means over replications have their confidence interval', async () => {
    const predicted = await checked(['predict', queue, '--until', '100', '--replications', '5', '--confidence', '90%']);
    const { mean, halfWidth, firings, runTime } = (JSON.parse(predicted) as PredictionDocument).replications!;
    expect(runTime).toEqual({ ...runTime, value: mean, lower: mean - halfWidth!, upper: mean + halfWidth!, unit: 's' });
    for (const { firings: figure, mean: value, halfWidth: half } of firings!)
      expect(figure).toEqual({ value, unit: '1', lower: value - half!, upper: value + half!, certainty: 0.9 });

    const vary = ['--vary', 'service.desk=x0.5,x1'];
    const studied = await checked(['whatif', queue, ...vary, '--until', '100', '--replications', '5']);
    const [, scenario] = (JSON.parse(studied) as WhatIfDocument).scenarios;
    const { figures, difference } = scenario!;
    expect(Object.values(figures!).map(({ certainty }) => certainty)).toEqual(Object.keys(figures!).map(() => 0.95));
    const { mean: by, low, high } = difference!;
    expect(difference).toMatchObject({ value: by, unit: 's', lower: low, upper: high, certainty: 0.95 });
  });

  test('numbers of an incomplete space are lower bounds, for certain', async () => {
    const cut = JSON.parse(await checked(['explore', endless, '--max-states', '1000'], [3])) as SpaceDocument;
    const { states, sccs } = cut.figures;
    expect(states).toEqual({ value: 1000, unit: '1', lower: 1000, upper: null, certainty: 1 });
    expect(sccs).toEqual({ value: null, unit: '1' });
    const whole = JSON.parse(await checked(['explore', three])) as SpaceDocument;
    expect(whole.figures.states).toEqual({ value: 27, unit: '1' });
  });
});

test('a key that the schema does not declare is an error', async () => {
  const text = await checked(['predict', stencil, '--machine', cluster]);
  const document = JSON.parse(text) as { figures: object };
  expect(faultsOf(JSON.stringify({ ...document, undeclared: 1 }))).not.toEqual([]);
  expect(faultsOf(JSON.stringify({ ...document, figures: { ...document.figures, undeclared: 1 } }))).not.toEqual([]);
});

test('each schema can be printed and imported', async () => {
  for (const name of SCHEMA_NAMES) {
    const { stdout } = await warmly(['schema', name]);
    expect(stdout).toBe(readFileSync(`schema/${name}.schema.json`, 'utf8'));
  }
  const code = `import schema from 'foretoken/schema/prediction.schema.json' with { type: 'json' }; console.log(schema.title);`;
  const args = ['--no-warnings', '--input-type=module', '--eval', code];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('Result of foretoken predict\n');
});
