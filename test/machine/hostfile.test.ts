import { describe, expect, it } from 'vitest';
import { InputError, type Problem } from '../../src/base/problem.ts';
import { defaultPlacement, readHostfile } from '../../src/machine/hostfile.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { platforms, platformText, temporary } from './fixtures.ts';

const platform = readSimgridPlatform(temporary(platformText(platforms['flat full-duplex'])));
const place = (text: string, ranks: number): number[] => [...readHostfile(temporary(text), platform, ranks)];

describe('a hostfile', () => {
  it.each([
    ['n2\nn0\n', 2, [2, 0]],
    ['n0:2\nn1:2\n', 4, [0, 0, 1, 1]],
    ['n0:2\nn1\nn2', 4, [0, 0, 1, 2]],
    ['n0\n\n\nn1\n', 2, [0, 1]],
    ['n0:0\nn1:4\n', 4, [1, 1, 1, 1]],
    ['n0\nn1\nn2\nn3\n', 2, [0, 1]],
    ['n3\r\n  n1 \r\n', 2, [3, 1]],
    ['n3:999999999\nn1:999999999', 3, [3, 3, 3]],
    ['n0\nn1\n', 5, [0, 1, 0, 1, 0]],
    ['n2:2\nn1:0\nn0', 7, [2, 2, 0, 2, 2, 0, 2]],
  ])('%j for %i ranks', (text, ranks, expected) => expect(place(text, ranks)).toEqual(expected));

  it.each([
    ['', 1, 'PLAT040 the hostfile names no host'],
    ['\n\n', 1, 'PLAT040 the hostfile names no host'],
    ['n0\nm1\n', 1, ':2:1: PLAT021 unknown host "m1" on platform'],
    ['n0\n  n9\n', 1, 'Did you mean "n0"?'],
    ['# mine\nn0\n', 1, 'A SimGrid hostfile has no comments.'],
    ['n0:x\n', 1, ':1:1: PLAT041 expected HOST or HOST:SLOTS, got "x" as the number of slots of "n0"'],
    ['n0:-1\n', 1, 'PLAT041'],
    ['n0 n1\n', 1, 'PLAT021 unknown host "n0 n1"'],
    ['n0\0', 1, 'PLAT040 the file is binary'],
  ])('%j for %i ranks is rejected', (text, ranks, message) => expect(() => place(text, ranks)).toThrow(message));

  it('with fewer slots than ranks is noted', () => {
    const notes: Problem[] = [];
    readHostfile(temporary('n0:2\nn1\n'), platform, 7, (note) => notes.push(note));
    readHostfile(temporary('n0:2\nn1\n'), platform, 3, (note) => notes.push(note));
    expect(notes.map((n) => `${n.code} ${n.message}`)).toEqual([
      'PLAT042 the hostfile has 3 slots for 7 ranks: its lines are repeated from the first one, as with smpirun.',
    ]);
  });

  it('reports all problems, up to a limit', () => {
    const problems = (text: string): number => {
      try {
        place(text, 1);
      } catch (error) {
        if (error instanceof InputError) return error.problems.length;
      }
      return 0;
    };
    expect(problems('x\nn0:y\nz\n')).toBe(3);
    expect(problems('x\n'.repeat(100_000))).toBe(100);
  });

  it('that is absent is reported by name', () => {
    expect(() => readHostfile('/nowhere/h.txt', platform, 1)).toThrow('/nowhere/h.txt: PLAT040 cannot be read');
  });
});

describe('the default placement', () => {
  it('is ordered by the names of the hosts, byte by byte', () => {
    expect([...defaultPlacement(platform, 3)]).toEqual([0, 1, 2]);
    const names = ['n2', 'n10', 'b', 'n1', 'Z', 'é'].map((id) => `<host id="${id}" speed="1Gf"/>`).join('');
    const other = readSimgridPlatform(temporary(platformText(`<zone id="w" routing="Full">${names}</zone>`)));
    expect([...defaultPlacement(other, 6)].map((h) => other.hosts[h]!.name)).toEqual([
      'Z',
      'b',
      'n1',
      'n10',
      'n2',
      'é',
    ]);
  });

  it('needs a host for each rank', () => {
    expect(() => defaultPlacement(platform, 5)).toThrow(
      /PLAT043 5 ranks, and platform .* has 4 hosts, for one rank each\. Give a/,
    );
  });
});
