import { expect, test } from 'vitest';
import { APPLIES, functionOf, INPUT_KINDS } from '../../../src/commands/inputs/option-rows.ts';
import * as library from '../../../src/index.ts';
import { NetBuilder, verify, verifyProgram } from '../../../src/index.ts';
import { spmd, threads } from '../../../src/models.ts';

const builder = new NetBuilder('n');
const place = builder.place('p', {}, { initial: 1 });
builder.transition('t', (t) => t.take(place));

const values = {
  model: spmd({ name: 'm', build: (m) => m.compute({ flops: 1 }) }),
  'thread model': threads({ name: 't', build: (t) => t.compute({ flops: 1 }) }),
  net: builder.build(),
};

type Call = (...args: unknown[]) => unknown;
/** Functions of the library that take an input. */
const calls = Object.entries(library as unknown as Record<string, Call>).filter(([name]) =>
  (Object.values(APPLIES).flat() as string[]).includes(name),
);

async function messageOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('the functions are those of the table', () => {
  expect(calls.length).toBeGreaterThanOrEqual(11);
  expect(INPUT_KINDS).toContain('thread model');
});

const refused = calls.flatMap(([name, call]) =>
  (Object.keys(values) as (keyof typeof values)[])
    .filter((kind) => !(APPLIES[kind] as readonly string[]).includes(name))
    .map((kind) => [name, kind, call] as const),
);

test.each(refused)('the function %s refuses a %s, and does not advise the call just made', async (name, kind, call) => {
  const message = await messageOf(() => call(values[kind], undefined, {}));
  expect(message).not.toBe('');
  // What follows the refusal is advice: names of functions that take the kind.
  const advised = /taken by (.*)$/m.exec(message)?.[1]?.split(', ') ?? [];
  if (kind === 'thread model') expect(advised.length).toBeGreaterThan(3);
  expect(advised).not.toContain(name);
  const takers = APPLIES[kind].map(functionOf);
  for (const one of advised) expect(takers).toContain(one);
});

test('verify and verifyProgram name the function of the library that takes thread models', async () => {
  const model = values['thread model'] as never;
  expect(await messageOf(() => verify(model))).toMatch(
    /predict, whatif, verifyThreads, explore, structure, steady, convert/,
  );
  expect(await messageOf(() => verifyProgram(model))).toMatch(
    /predict, whatif, verifyThreads, explore, structure, steady, convert/,
  );
});
