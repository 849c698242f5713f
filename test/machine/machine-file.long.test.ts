import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatProblem, InputError } from '../../src/base/problem.ts';
import { type ClusterOptions, cluster } from '../../src/machine/cluster.ts';
import { readMachineFile } from '../../src/machine/description/machine-file.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { effort } from '../effort.ts';
import { temporary } from './fixtures.ts';

const good = `nodes: 4
coresPerNode: 8
speed: 2.4Gf
link: { latency: 1.5us, bandwidth: 100Gb/s }
network: { kind: torus, sizes: [2, 2] }
eagerBelow: 64KiB
`;

/** Problems of a file, without its name. */
function problems(text: string | Uint8Array, name = 'machine.yaml'): string[] {
  const file = temporary(text, name);
  try {
    readMachineFile(file);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map((problem) => formatProblem(problem).replace(`${file}:`, '').trim());
  }
  return [];
}

const read = (text: string, name = 'machine.yaml'): Machine => readMachineFile(temporary(text, name));

describe('a machine file', () => {
  it('means the same in YAML, JSON and TypeScript', () => {
    const options = {
      name: 'm',
      nodes: 4,
      coresPerNode: 8,
      speed: '2.4Gf',
      link: { latency: '1.5us', bandwidth: '100Gb/s' },
      network: { kind: 'torus', sizes: [2, 2] },
      eagerBelow: '64KiB',
    } as const satisfies ClusterOptions;
    expect(read(`name: m\n${good}`)).toEqual(cluster(options));
    expect(read(JSON.stringify(options, null, 2), 'm.json')).toEqual(cluster(options));
  });

  it('has the name of the file if it has no name', () => {
    expect(read(good, 'lab.yaml').name).toMatch(/^\d+-lab$/);
  });

  it('of the examples can be read', () => {
    expect(readMachineFile('examples/stencil/cluster.yaml')).toMatchObject({ name: 'cluster', eagerBelow: 65536 });
  });

  it.each<[string, string | Uint8Array, string[]]>([
    ['an empty file', '', ['MACH001 the file is empty: expected a machine in JSON or YAML']],
    ['a comment only', '# nothing\n', ['MACH007 expected an object']],
    ['a binary file', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1]), ['MACH001 the file is binary']],
    ['another encoding', new Uint8Array([0x61, 0xe9]), ['MACH001 the file is not UTF-8']],
    ['a large file', ' '.repeat(2 ** 20 + 1), ['MACH001 is 1048577 bytes long, more than the limit of 1048576']],
    ['a text', 'hello', ['1:1: MACH007 expected an object']],
    ['a list', '- 1\n- 2\n', ['1:1: MACH007 expected an object']],
    ['XML', '<platform version="4.1"/>', ['1:1: MACH007']],
    [
      'a bracket that is not closed',
      'link: { latency: 1us',
      ['1:21: MACH002 the bracket { is not closed before this place: expected }'],
    ],
    [
      'bad indentation',
      'nodes: 1\n  speed: 2\n',
      ['2:3: MACH002 this line is indented by 2 spaces: expected 0, as line 1'],
    ],
    [
      'bad indentation by one space',
      'nodes: 1\n speed: 2\n',
      ['2:2: MACH002 this line is indented by 1 space: expected 0, as line 1'],
    ],
    [
      'no space after a colon',
      'nodes: 1\nspeed:2\n',
      ['2:1: MACH002 expected KEY: VALUE, with a space after the colon'],
    ],
    [
      'no space after a colon, and a line after it',
      'nodes: 1\nspeed:2\n\neagerBelow: 0\n',
      ['2:1: MACH002 expected KEY: VALUE, with a space after the colon'],
    ],
    [
      'a key without a colon',
      'nodes: 1\nspeed 2\neagerBelow: 0\n',
      ['2:1: MACH002 expected KEY: VALUE, with a space after the colon'],
    ],
    [
      'a misspelt key',
      good.replace('speed', 'sped'),
      ['3:1: MACH005 the machine has no "sped". Did you mean "speed"?'],
    ],
    [
      'a misspelt key within',
      good.replace('latency', 'latecny'),
      ['4:9: MACH005 the link has no "latecny". Did you mean "latency"?', '4:7: MACH006 the link lacks "latency"'],
    ],
    [
      'words of other tools for keys',
      `${good}hosts: 3\ntopology: torus\nbandwidth: 1GB/s\n`,
      [
        '7:1: MACH005 the machine has no "hosts". Did you mean "nodes"?',
        '8:1: MACH005 the machine has no "topology". Did you mean "network"?',
        '9:1: MACH005 the machine has no "bandwidth". Did you mean "link.bandwidth" or "intraNode.bandwidth" or',
      ],
    ],
    ['a wrong unit', good.replace('1.5us', '1.5GB'), ['4:18: UNIT002 "1.5GB": "GB" is a unit of a data size']],
    [
      'a number as a text',
      good.replace('nodes: 4', 'nodes: "4"'),
      ['1:8: MACH007 expected an integer from 1 to 262144, got "4"'],
    ],
    ['infinity', good.replace('64KiB', '.inf'), ['6:13: UNIT001 Infinity is not a quantity']],
    ['no value', good.replace('2.4Gf', ''), ['3:8: UNIT001 null']],
    [
      'a torus that does not fit',
      good.replace('[2, 2]', '[2, 3]'),
      ['5:32: MACH011 2 × 3 = 6 places for 4 nodes: give 6 nodes in all, or other numbers here'],
    ],
    [
      'an item of a list',
      good.replace('[2, 2]', '[2, 0]'),
      ['5:36: MACH008 expected an integer from 1 to 262144, got 0'],
    ],
    ['a gap that is no time', `${good}gap: 1B\n`, ['7:6: UNIT002 "1B": "B" is a unit of a data size']],
    ['a key twice', `${good}nodes: 5\n`, ['7:1: MACH013 duplicate key']],
    ['an anchor', good.replace('link: {', 'link: &fast {'), ['MACH003 anchors (&name) are not supported']],
    ['an alias', `${good}intraNode: *fast\n`, ['MACH00']],
    ['a tag', good.replace('4', '!!int 4'), ['1:14: MACH003 the tag "tag:yaml.org,2002:int" is not supported']],
    ['a tag of its own', good.replace('4', '!function 4'), ['MACH003']],
    ['two documents', `${good}---\n${good}`, ['MACH003 a second document']],
    ['a merge key', `${good}"<<": { nodes: 3 }\n`, ['7:1: MACH005 the machine has no "<<"']],
    [
      'a name of objects of JavaScript',
      `${good}__proto__: { nodes: 3 }\nconstructor: 1\n`,
      ['7:1: MACH005 the machine has no "__proto__"', '8:1: MACH005'],
    ],
    ['an object as a key', `${good}? { a: 1 }\n: 2\n`, ['7:3: MACH002']],
    ['deep nesting in a row', `network: ${'['.repeat(400_000)}`, ['MACH004 nested deeper than 32']],
    ['deep nesting of lists', `network:\n  ${'- '.repeat(300_000)}1\n`, ['MACH004 nested deeper than 32']],
    ['deep nesting of keys', `network: ${'{a: '.repeat(100_000)}1`, ['MACH004 nested deeper than 32']],
    ['several at once', good.replace('2.4Gf', 'fast').replace('64KiB', '64'), ['3:8: UNIT001 "fast"']],
  ])('%s is rejected', (_, text, expected) => {
    const found = problems(text);
    expect(found.length, found.join('\n')).toBeGreaterThanOrEqual(expected.length);
    for (const [k, part] of expected.entries()) expect(found[k]).toContain(part);
  });

  it('with aliases that multiply is rejected at once', () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (let k = 1; k < 30; k++) {
      const [before, name] = [`v${k - 1}`, `v${k}`];
      lines.push(`${name}: &${name} [${Array(9).fill(k === 1 ? '*a' : `*${before}`)}]`);
    }
    expect(problems(lines.join('\n')).join('\n')).toContain('MACH003');
  });

  it('with many lines is read in linear time', () => {
    const groups = Array.from({ length: 4096 }, (_, k) => `  - { name: g${k}x, nodes: 1 }`).join('\n');
    const text = `groups:\n${groups}\ncoresPerNode: 1\nspeed: 1\nlink: { latency: 0, bandwidth: 1 }\neagerBelow: 0\n`;
    expect(read(text).nodes).toHaveLength(4096);
  });

  it('that is not a file is rejected', () => {
    expect(() => readMachineFile('/nowhere/m.yaml')).toThrow('MACH001 cannot be opened');
    expect(() => readMachineFile('/dev/zero.yaml')).toThrow('MACH001');
    expect(() => readMachineFile('test')).toThrow('MACH001 expected a regular file');
  });

  it('with the ending .json is JSON', () => {
    expect(problems('{ "nodes": 1, }', 'm.json').join()).toContain('MACH002 is YAML, not JSON');
    expect(problems('nodes: 1', 'm.json').join()).toContain('MACH002 is YAML, not JSON');
    expect(problems('{ "nodes": 1, "nodes": 2 }', 'm.json')).toEqual(['1:15: MACH013 duplicate key']);
    expect(problems('{ "nodez": 1 }', 'm.json')[0]).toMatch(/^1:3: MACH005 /);
  });
});

it('no file content crashes the reader', () => {
  const text = readFileSync('examples/stencil/cluster.yaml', 'utf8');
  const edit = fc.record({
    at: fc.nat(text.length),
    cut: fc.nat(12),
    put: fc.oneof(
      fc.constantFrom('{', '}', '[', ']', ':', '- ', '\n', '&a ', '*a', '!!map ', '"', '|', '? ', '\t'),
      fc.string(),
    ),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const mutated = edits.reduce((t, { at, cut, put }) => t.slice(0, at) + put + t.slice(at + cut), text);
      fc.pre(mutated !== '');
      for (const problem of problems(mutated)) expect(problem).toMatch(/^(?:\d+:\d+: )?(?:MACH|UNIT)\d{3} /);
    }),
    { numRuns: effort(500) },
  );
});
