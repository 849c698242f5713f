import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { netToJson } from '../../src/net/json/json.ts';
import type { Net } from '../../src/net/net.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { type WrittenPnml, writePnml } from '../../src/net/pnml/pnml-write.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { atFullEffort, effort } from '../effort.ts';
import { contestFile, contestNets } from '../references.ts';
import { philosophers } from './contest-nets.ts';
import { withFunction } from './every-feature.ts';
import { finiteNet } from './random-finite-net.ts';
import { symmetricNet } from './symmetric-net.ts';
import { writableNet } from './writable-net.ts';

const ONE = { op: 'const', value: 1 } as const;
const runs = effort(100);

/** Writes a net and checks that it is read back as the net that was reported. */
function written(net: Net): WrittenPnml {
  const result = writePnml(net);
  const read = readPnml(result.text, 'written.pnml');
  expect(netToJson(read.net)).toBe(netToJson(result.net));
  for (const w of read.warnings)
    expect(w).toMatch(/^transition ".*" takes no token|^<(successor|predecessor)> of \w+, which/);
  return result;
}

test.each(contestNets())('$file is written as it was read, without additions', ({ file }) => {
  const { net } = readPnml(readFileSync(contestFile(file)), file);
  const { net: same, notes, text } = written(net);
  expect(same).toBe(net);
  expect(notes).toEqual([]);
  expect(text).not.toContain('toolspecific');
});

describe('random nets are read as they were written, or as they were unfolded', () => {
  const timed: fc.Arbitrary<Net> = symmetricNet
    .filter((net) => net.bindings <= 1000)
    .map(({ xml }) => readPnml(xml).net)
    .map(({ untimed: _, ...net }) => ({
      ...net,
      places: net.places.map((p) => ({ ...p, capacity: 100, owner: 'me' })),
      transitions: net.transitions.map((t) => ({ ...t, delay: { dist: 'exponential', rate: ONE }, timing: 'race' })),
    }));
  const kinds: readonly (readonly [string, number, number, fc.Arbitrary<Net>])[] = [
    ['finite', 0, 0.5, finiteNet],
    ['any', 0.05, 0.05, writableNet],
    ['symmetric and timed', 0.5, 0.05, timed],
  ];
  test.each(kinds)('a net is read as it was written or unfolded: %s', (_, leastFolded, leastUnfolded, nets) => {
    const found = { folded: 0, unfolded: 0, refused: 0 };
    fc.assert(
      fc.property(nets, (net) => {
        let result: WrittenPnml;
        try {
          result = written(net);
        } catch (e) {
          if (!(e instanceof InputError)) throw e;
          for (const p of e.problems) expect(p.code).toMatch(/^UNF\d{3}$/);
          found.refused++;
          return;
        }
        if (result.net === net) found.folded++;
        else {
          found.unfolded++;
          expect(result.notes[0]).toMatch(/^the net is written unfolded \(\d+ places, \d+ transitions\), because /);
          expect(netToJson(result.net)).toBe(netToJson(unfold(net)));
        }
      }),
      { numRuns: runs },
    );
    expect(found.folded, JSON.stringify(found)).toBeGreaterThanOrEqual(atFullEffort(leastFolded * runs));
    expect(found.unfolded, JSON.stringify(found)).toBeGreaterThanOrEqual(atFullEffort(leastUnfolded * runs));
  });
});

describe('as read by other tools', () => {
  test('a place/transition net', () => {
    const n = new NetBuilder('n');
    const p = n.place('p', {}, { initial: 3 });
    n.transition('t', (t) => {
      t.take(p, {}, 2);
      t.put(p, {}, 5);
    });
    const { text, notes } = written(n.build());
    expect(notes).toEqual([]);
    expect(text.split('\n').map((line) => line.trim())).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">',
      '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">',
      '<name><text>n</text></name>',
      '<page id="page">',
      '<place id="p"><name><text>p</text></name><initialMarking><text>3</text></initialMarking></place>',
      '<transition id="t"><name><text>t</text></name></transition>',
      '<arc id="a1" source="p" target="t"><inscription><text>2</text></inscription></arc>',
      '<arc id="a2" source="t" target="p"><inscription><text>5</text></inscription></arc>',
      '</page>',
      '</net>',
      '</pnml>',
      '',
    ]);
  });

  test('arithmetic is unfolded, and the names are kept', () => {
    const { text, notes, net } = written(philosophers(3));
    expect(notes).toEqual([
      'the net is written unfolded (15 places, 15 transitions), because "(x + 2) % 3" is not a term of symmetric nets',
      'names that are not valid XML ids are written as <name>, with generated ids',
    ]);
    expect(netToJson(net)).toBe(netToJson(unfold(philosophers(3))));
    expect(text).toContain('<place id="Think_0"><name><text>Think[0]</text></name>');
    expect(readPnml(text).names.places.get('Think_0')).toBe('Think[0]');
  });

  test('elements without a PNML form are named in a warning and kept as toolspecific data', () => {
    const n = new NetBuilder('n');
    const Colour = n.enumeration('Colour', 'red', 'green');
    const p = n.place('p', { c: Colour }, { order: 'fifo', capacity: 3, owner: 'me', initial: [{ c: 'red' }] });
    n.transition('t', (t) => {
      t.take(p);
      t.delay(2);
      t.weight(3);
      t.priority(1);
    });
    const { notes, net, text } = written(n.build());
    expect(net.places[0]!.order).toBe('fifo');
    expect(text).toContain('<finiteenumeration>');
    expect(notes).toEqual([
      'PNML cannot represent the whole net: queue orders, capacities, kinds, owners and modules, delays, priorities, weights are stored in <toolspecific>, which other tools ignore',
    ]);
  });

  test('a column omitted by a pattern is a variable', () => {
    const net: Net = {
      name: 'n',
      colours: [{ kind: 'range', name: 'R', low: 0, high: 3 }],
      tables: [],
      places: [{ name: 'p', fields: [{ name: 'f', colour: 'R' }], order: 'bag', key: [], initial: [] }],
      transitions: [{ name: 't', inputs: [{ kind: 'take', place: 'p', pattern: {}, count: 1 }], outputs: [] }],
    };
    expect(written(net).text).toContain('<variabledecl id="p.f" name="p.f"><usersort declaration="R"/></variabledecl>');
  });

  test('functions of the host language are unfolded, or refused', () => {
    expect(() => writePnml(withFunction())).toThrow(/UNF\d{3}/);
  });

  test('arcs that the standard does not have', () => {
    const n = new NetBuilder('n');
    const [p, q] = [n.place('p', {}, { initial: 3 }), n.place('q', {})];
    n.transition('t', (t) => {
      t.take(p);
      t.inhibit(q, {}, 2);
      t.read(p, {}, 2);
      t.reset(q);
    });
    const { text, notes, net } = written(n.build());
    expect(notes.map((note) => note.slice(0, 28))).toEqual([
      'arcs of kind "inhibitor" are',
      'arcs of kind "read" are writ',
      'arcs of kind "reset" are wri',
    ]);
    expect(text).toContain('<arc id="a2" source="q" target="t"><type value="inhibitor"/><inscription><text>2</text>');
    expect(text).not.toContain('toolspecific');
    expect(net.transitions[0]!.inputs).toHaveLength(4);
  });

  test('no warnings about standard elements if the kept net is read', () => {
    const n = new NetBuilder('n');
    const p = n.place('p', {});
    n.transition('come', (t) => {
      t.race({ delay: 2 });
      t.put(p, {});
    });
    const { text } = writePnml(n.build());
    expect(readPnml(text).warnings).toEqual([]);
    const plain = readPnml(text.replace(/<toolspecific[\s\S]*?<\/toolspecific>/, ''));
    expect(plain.warnings).toEqual([expect.stringMatching(/^transition "come" takes no token/)]);
  });

  test('toolspecific data is used only while the standard part is unchanged', () => {
    const n = new NetBuilder('n');
    const p = n.place('p', {}, { initial: 3 });
    n.transition('t', (t) => {
      t.take(p);
      t.delay(2);
    });
    const { text } = written(n.build());
    const moved = text.replace('</place>', '<graphics><position x="1" y="2"/></graphics></place>');
    expect(readPnml(moved).net.transitions[0]!.delay).toEqual({ op: 'const', value: 2 });
    const changed = readPnml(text.replace('<text>3</text>', '<text>4</text>'));
    expect(changed.net.places[0]!.initial).toEqual([{ values: [], count: 4 }]);
    expect(changed.net.transitions[0]!.delay).toBeUndefined();
    expect(changed.warnings).toEqual([expect.stringMatching(/^the net was changed since/)]);
    const broken = readPnml(text.replace('"format"', '"farmot"'));
    expect(broken.warnings).toEqual([
      expect.stringMatching(/^the <toolspecific> data of foretoken is not a valid net/),
    ]);
  });
});
