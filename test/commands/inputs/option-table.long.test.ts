import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/cli/answer.ts';
import type { Job as CliJob } from '../../../src/commands/command-line/job.ts';
import { CONVERT_ROWS } from '../../../src/commands/convert/convert-options.ts';
import { DIAGNOSE_ROWS } from '../../../src/commands/diagnose/diagnosis-options.ts';
import { EXPLORE_ROWS } from '../../../src/commands/explore/explore-document.ts';
import { named } from '../../../src/commands/inputs/check-options.ts';
import { flagOf, type InputKind, type JobName } from '../../../src/commands/inputs/option-rows.ts';
import { PREDICT_ROWS } from '../../../src/commands/predict/options.ts';
import { PROFILE_ROWS } from '../../../src/commands/profile/profile-options.ts';
import { STEADY_ROWS } from '../../../src/commands/steady/steady-options.ts';
import { STRUCTURE_ROWS } from '../../../src/commands/structure/structure-options.ts';
import {
  VERIFY_COMMAND_ROWS,
  VERIFY_PROGRAM_ROWS,
  VERIFY_ROWS,
  VERIFY_THREADS_ROWS,
} from '../../../src/commands/verify/verify-options.ts';
import { VIEW_ROWS } from '../../../src/commands/view/view-options.ts';
import { WHATIF_ROWS } from '../../../src/commands/whatif/whatif-options.ts';
import {
  convert,
  diagnose,
  explore,
  InputError,
  NetBuilder,
  predict,
  profile,
  steady,
  structure,
  verify,
  verifyProgram,
  verifyThreads,
  view,
  whatif,
} from '../../../src/index.ts';
import { spmd, threads } from '../../../src/models.ts';
import { warmly } from '../../cli/warm.ts';

const OPTIONS = {
  predict: PREDICT_ROWS,
  whatif: WHATIF_ROWS,
  verify: VERIFY_ROWS,
  verifyProgram: VERIFY_PROGRAM_ROWS,
  verifyThreads: VERIFY_THREADS_ROWS,
  verifyCommand: VERIFY_COMMAND_ROWS,
  explore: EXPLORE_ROWS,
  structure: STRUCTURE_ROWS,
  steady: STEADY_ROWS,
  convert: CONVERT_ROWS,
  convertCommand: CONVERT_ROWS,
  profile: PROFILE_ROWS,
  view: VIEW_ROWS,
  diagnose: DIAGNOSE_ROWS,
} satisfies Readonly<Record<JobName, object>>;

const folder = mkdtempSync(join(tmpdir(), 'foretoken-options-'));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const builder = new NetBuilder('n');
const place = builder.place('p', {}, { initial: 1 });
builder.transition('t', (t) => t.take(place));

/** An input of each kind. */
const inputs: Readonly<Record<InputKind, unknown>> = {
  model: spmd({ name: 'm', build: (m) => m.compute({ flops: 1 }) }),
  'thread model': threads({ name: 't', build: (t) => t.compute({ flops: 1 }) }),
  trace: file('a.ti', '0 init\n0 finalize\n'),
  net: builder.build(),
  'machine description': 'sdsc-trestles',
  'run record': file('r.jsonl', ''),
  'worker states': file('w.csv', ''),
  'Chrome trace': file('c.json', '{}'),
  'scheduler trace': file('s.txt', ''),
};

/** Kinds that a function takes. */
const takes: Readonly<Record<Exclude<JobName, 'verifyCommand' | 'convertCommand'>, readonly InputKind[]>> = {
  predict: ['model', 'thread model', 'trace', 'net'],
  whatif: ['model', 'thread model', 'trace'],
  verify: ['model', 'net'],
  verifyProgram: ['model', 'trace'],
  verifyThreads: ['thread model'],
  explore: ['model', 'thread model', 'net'],
  structure: ['model', 'thread model', 'net'],
  steady: ['model', 'thread model', 'net'],
  convert: ['model', 'thread model', 'trace', 'net'],
  profile: ['model', 'thread model', 'trace', 'run record'],
  view: ['model', 'thread model', 'trace', 'net', 'run record'],
  diagnose: ['model', 'thread model', 'run record', 'worker states', 'Chrome trace', 'scheduler trace'],
};

type Call = (input: never, options: never) => unknown;
const functions: Readonly<Record<keyof typeof takes, Call>> = {
  predict,
  whatif,
  verify: (input: never, options: never) => verify(input, undefined, options),
  verifyProgram,
  verifyThreads,
  explore,
  structure,
  steady,
  convert: (input: never, options: never) => convert(input, join(folder, 'out.json'), options),
  profile,
  view,
  diagnose,
};

/** The error of a call; undefined if there is none. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A net contains its machine and has no ranks; a schedule takes the parameters of a loggops network, and has some. */
const ofSchedules: readonly string[] = ['machine', 'trace', 'run', 'record'];
const REFUSED = /^(?:APP004|DIAG009|PROF006|THR011|VER003)$/;
const rows = Object.keys(takes).flatMap((job) => takes[job as keyof typeof takes].map((kind) => [job, kind] as const));

describe.each(rows as (readonly [keyof typeof takes, InputKind])[])('%s of a %s', (job, kind) => {
  const table = OPTIONS[job] as Readonly<Record<string, readonly InputKind[]>>;
  const call = (options: object): Promise<unknown> =>
    errorOf(() => functions[job](inputs[kind] as never, options as never));

  it('refuses every option that does not apply, with its name', async () => {
    for (const [option, kinds] of Object.entries(table)) {
      if (kinds.includes(kind)) continue;
      // States of spans make a record of a CSV file.
      if (job === 'diagnose' && option === 'states') continue;
      const error = await call({ [option]: 1 });
      expect(error, option).toBeInstanceOf(InputError);
      const [problem] = (error as InputError).problems;
      expect(problem!.code).toMatch(REFUSED);
      expect(problem!.message).toMatch(new RegExp(`^option ${option}\\b.* does not apply to `));
    }
  });

  it('accepts or checks every option that applies', async () => {
    for (const [option, kinds] of Object.entries(table)) {
      if (!kinds.includes(kind) || option === 'record' || option === 'offloadedRanks') continue;
      if (ofSchedules.includes(option) && kind === 'net') continue;
      const error = await call({ [option]: Symbol('no value') });
      const codes = error instanceof InputError ? error.problems.map(({ code }) => code) : [];
      expect(codes.filter((code) => REFUSED.test(code) || code === 'APP060')).toEqual([]);
    }
  });

  if (kind === 'net' && table['machine']?.includes('net'))
    it('refuses a machine and records, except for schedules', async () => {
      for (const option of ofSchedules.filter((name) => table[name]?.includes('net'))) {
        const error = (await call({ [option]: 'none.yaml' })) as InputError;
        expect(error.problems.map(({ code }) => code)).toEqual(['APP004']);
        expect(error.problems[0]!.message).toMatch(
          new RegExp(`^option ${option} .*does not apply to a net: .*schedules`),
        );
      }
    });

  it('refuses unknown names with the nearest one, and all of them at once', async () => {
    const applicable = Object.keys(table).filter((name) => table[name]!.includes(kind) && name.length > 4);
    for (const name of applicable) {
      const typo = `${name.slice(0, 2)}${name[3]}${name[2]}${name.slice(4)}`;
      if (Object.hasOwn(table, typo) || typo === name) continue;
      const error = (await call({ [typo]: 1, __wrong: 2 })) as InputError;
      expect(error.problems.map(({ code }) => code)).toEqual(['APP060', 'APP060']);
      expect(error.problems[0]!.message).toContain(`unknown option "${typo}". Did you mean "`);
    }
    for (const name of ['constructor', 'toString', 'hasOwnProperty'])
      expect(await call({ [name]: 1 })).toMatchObject({ problems: [{ code: 'APP060' }] });
  });

  it('refuses options that are not an object', async () => {
    for (const options of [null, 5, 'x', [], () => 0, new Map()])
      expect(await call(options as object)).toMatchObject({ name: 'InputError' });
  });

  it('ignores options that are undefined', async () => {
    const error = await call(Object.fromEntries([...Object.keys(table), 'rank'].map((name) => [name, undefined])));
    const codes = error instanceof InputError ? error.problems.map(({ code }) => code) : [];
    expect(codes.filter((code) => REFUSED.test(code) || code === 'APP060')).toEqual([]);
  });
});

describe('the command line', () => {
  const model = file(
    'm.mjs',
    `import { spmd } from '${new URL('../../../src/models.ts', import.meta.url).pathname}';
     export default spmd({ name: 'm', build: (m) => m.compute({ flops: 1 }) });`,
  );
  const jobs = ['predict', 'verify', 'explore', 'structure', 'convert'] as const;
  const paths = {
    model,
    trace: inputs.trace as string,
    'machine description': inputs['machine description'] as string,
  } as const;
  const refused = { explore: ['trace'], structure: ['trace'] } as Readonly<Record<string, readonly string[]>>;
  const pairs = jobs.flatMap((job) =>
    (Object.keys(paths) as (keyof typeof paths)[])
      .filter((kind) => (kind === 'machine description' ? job === 'convert' : !refused[job]?.includes(kind)))
      .map((kind) => [job, kind] as const),
  );
  it.each(pairs)('%s of a %s refuses every option that does not apply', async (job, kind) => {
    const table = OPTIONS[job === 'verify' ? 'verifyCommand' : job] as Readonly<Record<string, readonly InputKind[]>>;
    for (const [option, kinds] of Object.entries(table)) {
      if (kinds.includes(kind)) continue;
      const given = { command: job, input: paths[kind], output: join(folder, 'o.json'), options: { [option]: 1 } };
      const found = await answer(given as unknown as CliJob, { cancelled: () => false });
      expect(found.kind, option).toBe('problems');
      const [problem] = (found as { problems: readonly { code: string; message: string }[] }).problems;
      expect(problem!.code).toMatch(REFUSED);
      expect(problem!.message).toContain(`option ${option}`);
    }
  });

  it('flags are the dashed names', () => {
    expect(flagOf('predict', 'maxSteps')).toBe('--max-steps');
    expect(flagOf('predict', 'derivedTypeBytes')).toBe('--datatype');
    expect(flagOf('whatif', 'limit')).toBe('--max-scenarios');
  });

  it.each(Object.keys(OPTIONS) as JobName[])(
    'messages name a flag of an option of %s only if its command has it',
    async (job) => {
      const { stdout: help } = await warmly([/^[a-z]+/.exec(job)![0], '--help']);
      const flags = new Set([...help.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag));
      for (const option of Object.keys(OPTIONS[job])) {
        const flag = flagOf(job, option);
        if (flag !== undefined) expect([...flags], option).toContain(flag);
        else {
          const dashed = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
          expect([...flags], option).not.toContain(`--${dashed}`);
        }
        const shown = named(job, option);
        expect(shown).toBe(flag === undefined || flag === `--${option}` ? option : `${option} (${flag})`);
      }
    },
  );
});
