import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { schemaText } from '../../scripts/schemas/schema-text.ts';
import { InputError } from '../../src/base/problem.ts';
import { type ClusterOptions, cluster } from '../../src/machine/cluster.ts';
import { machineSchema } from '../../src/machine/description/machine-schema.ts';
import { effort } from '../effort.ts';

const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(machineSchema);

/** Rules that JSON Schema cannot express: consistency of parts, sizes of products, values of strings with units. */
const BEYOND = ['MACH011', 'MACH012', 'UNIT003'];

function codes(options: unknown): string[] {
  try {
    cluster(options as ClusterOptions);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(({ code }) => code);
  }
}

/** Checks that the schema accepts what the reader accepts, and rejects what the reader rejects because of its shape. */
function agree(options: unknown): void {
  const found = codes(options);
  const shape = found.filter((code) => !BEYOND.includes(code));
  const valid = validate(options);
  const said = `${JSON.stringify(options)}: ${found.join(' ')} ${JSON.stringify(validate.errors)}`;
  if (found.length === 0) expect(valid, said).toBe(true);
  if (shape.length > 0) expect(valid, said).toBe(false);
  if (!valid) expect(found, said).not.toEqual([]);
}

const rate = fc.constantFrom<unknown>('1GB/s', '100Gb/s', 1e9, '12.5 MiB/s', 0.5);
const time = fc.constantFrom<unknown>('1us', 0, '0s', '2.5ms', 1e-6);
const way = fc.record({ latency: time, bandwidth: rate });
const whole = fc.integer({ min: 1, max: 4 });
const node = {
  coresPerNode: whole,
  speed: fc.constantFrom<unknown>('2Gf', 1e9, '1 Gflop/s'),
  link: way,
};
const more = { memory: rate, intraNode: way, socketsPerNode: fc.constant(1), name: fc.constantFrom('a', 'b-') };
const sizes = fc.array(whole, { minLength: 1, maxLength: 3 });
const product = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);
const network = fc.oneof(
  fc.constantFrom<unknown>('crossbar', { kind: 'crossbar' }, undefined),
  way.map((inside) => ({ kind: 'backbone', ...inside })),
);
const protocol = {
  eagerBelow: fc.constantFrom<unknown>('4KiB', 0, 12),
  detachedBelow: fc.constantFrom<unknown>('64KiB', 5000),
};
const deviation = fc.double({ min: 0, max: 0.2, noNaN: true });
const thresholds = fc.subarray<unknown>([0, 10.5, '1KiB', 65536], { minLength: 1 });
const factors = thresholds.chain((list) =>
  fc.tuple(
    ...list.map((above) =>
      fc.record({ above: fc.constant(above), factor: fc.double({ min: 0.1, max: 9, noNaN: true }) }),
    ),
  ),
);
const pieces = thresholds.chain((list) =>
  fc.tuple(
    ...list.map((above) =>
      fc.record({ above: fc.constant(above), time, perByte: time }, { requiredKeys: ['above', 'time'] }),
    ),
  ),
);
const cores = {
  memoryAccess: fc.constantFrom('after', 'overlapped'),
  overhead: fc.record({ send: time, receive: time, perByte: time }, { requiredKeys: ['send', 'receive'] }),
  latencyFactor: factors,
  bandwidthFactor: factors,
  callTimes: fc.record({ send: pieces, isend: pieces, receive: pieces }, { requiredKeys: [] }),
  gap: time,
  noise: fc.oneof(
    fc.constantFrom<unknown>('exponential', { kind: 'exponential' }),
    fc.record({ kind: fc.constantFrom('lognormal', 'normal'), cv: deviation }),
    fc.record({ kind: fc.constant('uniform'), spread: deviation }),
  ),
};
const all = {
  ...protocol,
  ...cores,
  ...node,
  ...more,
  source: fc.string(),
  collectives: fc.string(),
  $schema: fc.string(),
};
const requiredKeys = ['eagerBelow', 'coresPerNode', 'speed', 'link'] as const;

/** LogGOPS needs neither links nor a threshold of eager messages. */
const loggops = fc.record(
  {
    kind: fc.constant('loggops'),
    ...{ L: time, o: time, g: time, G: time, O: time },
    S: fc.constantFrom<unknown>(0, '64KiB', 65535),
  },
  { requiredKeys: ['kind', 'L', 'o', 'g', 'G'] },
);

/** Valid machines of all kinds. */
const sound: fc.Arbitrary<Record<string, unknown>> = fc
  .oneof(
    fc.record({ ...all, nodes: whole, network }, { requiredKeys: [...requiredKeys, 'nodes'] }),
    fc
      .record(
        { ...cores, ...node, nodes: whole, network: loggops },
        { requiredKeys: ['coresPerNode', 'speed', 'nodes', 'network'] },
      )
      // Without eagerBelow, detachedBelow is compared with 0.
      .map((machine) => machine as Record<string, unknown>),
    fc.tuple(fc.record(all, { requiredKeys: [...requiredKeys] }), sizes, fc.boolean()).map(([rest, list, torus]) => ({
      ...rest,
      nodes: product(list),
      network: torus
        ? { kind: 'torus', sizes: list }
        : { kind: 'fat-tree', down: list, up: list.map(() => 2), cables: list.map(() => 1) },
    })),
    fc.record(
      {
        ...all,
        groups: fc.array(
          fc.record(
            { nodes: whole, ...node, ...more, name: fc.uuid().map((id) => `g${id}x`) },
            { requiredKeys: ['nodes'] },
          ),
          { minLength: 1, maxLength: 3 },
        ),
        network,
      },
      { requiredKeys: [...requiredKeys, 'groups'] },
    ),
  )
  // Call times and overhead exclude each other.
  .map(({ overhead, ...rest }: Record<string, unknown>) =>
    overhead === undefined || rest['callTimes'] !== undefined ? rest : { ...rest, overhead },
  );

it('the file in the package is the schema of the code', async () => {
  await expect(`${schemaText(machineSchema)}\n`).toMatchFileSnapshot('../../schema/machine.schema.json');
});

it('valid machines are valid for schema and reader', () => {
  fc.assert(
    fc.property(sound, (options) => {
      expect(codes(options)).toEqual([]);
      expect(validate(JSON.parse(JSON.stringify(options))), JSON.stringify(validate.errors)).toBe(true);
    }),
    { numRuns: effort(300) },
  );
});

/** Paths to all parts of a document. */
function ways(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, part]) => ways(part, [...path, key]))];
}

type Change = 'drop' | 'rename' | 'add' | { readonly put: unknown };

/** A copy with one part changed. */
function changed(value: unknown, path: readonly string[], change: Change): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (typeof change === 'object') return change.put;
    return change === 'add' && typeof value === 'object' && !Array.isArray(value) ? { ...value, extra: 1 } : value;
  }
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  if (rest.length > 0 || typeof change === 'object' || change === 'add') copy[key] = changed(copy[key], rest, change);
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else {
    if (change === 'rename') copy[`${key}x`] = copy[key];
    delete copy[key];
  }
  return copy;
}

it('schema and reader agree on mutated machines', () => {
  const put = fc.oneof(
    fc.constantFrom<unknown>(
      ...[
        null,
        true,
        -1,
        0,
        0.5,
        1,
        2,
        17,
        1e6,
        1e99,
        '',
        'x',
        '1',
        '1us',
        '0B/s',
        '1GB',
        '1GB/s',
        '2Gf',
        '-1s',
        '1e999s',
      ],
      ...[[], {}, [0], ['1'], [2, 2], 'torus', 'crossbar', { kind: 'crossbar' }, { kind: 'torus' }, { kind: 'x' }],
      ...[{ latency: 1 }, { latency: '1us', bandwidth: '1GB/s' }, [{ nodes: 1 }], { kind: 1 }],
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const change = fc.oneof(
    fc.constantFrom<Change>('drop', 'rename', 'add'),
    put.map((put): Change => ({ put })),
  );
  fc.assert(
    fc.property(sound, fc.array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 3 }), (options, changes) => {
      const plain: unknown = JSON.parse(JSON.stringify(options));
      agree(
        changes.reduce((document, [which, change]) => {
          const all = ways(document);
          return changed(document, all[which % all.length]!, change);
        }, plain),
      );
    }),
    { numRuns: effort(3000) },
  );
});

it.each(['memory', 'noise', 'overhead', 'gap'])('%s as a number: file and schema agree', (name) => {
  agree({ nodes: 1, coresPerNode: 1, speed: 1, link: { latency: 0, bandwidth: 1 }, eagerBelow: 0, [name]: 1 });
});
