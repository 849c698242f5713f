import { describe, expect, test } from 'vitest';
import { close } from '../../src/net/merge/close.ts';
import { merge } from '../../src/net/merge/merge.ts';
import { qualify } from '../../src/net/merge/rename.ts';
import type { Net } from '../../src/net/net.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { label, net, num, place, put, range, take, transition, v } from './merge-nets.ts';

describe('a program on a machine', () => {
  const colours = [range('Process', 0, 1)];
  const program: Net = net('program', {
    colours,
    places: [
      place('ready', { p: 'Process' }, { kind: 'operation', initial: [{ values: [0], count: 1 }] }),
      place('waiting', { p: 'Process' }, { kind: 'operation', initial: [{ values: [1], count: 1 }] }),
      place('ended', { p: 'Process' }),
    ],
    transitions: [
      transition('send', [take('ready', { p: v('p') })], [put('ended', { p: v('p') })], {
        kind: 'communicate',
        process: v('p'),
        label: label('send', { from: 'p' }),
      }),
      transition('receive', [take('waiting', { p: v('p') })], [put('ended', { p: v('p') })], {
        process: v('p'),
        label: label('receive', { to: 'p' }),
      }),
    ],
    processes: { colour: 'Process', ended: 'ended' },
  });
  const machine: Net = net('machine', {
    colours,
    places: [
      place('link', {}, { kind: 'resource', initial: [{ values: [], count: 1 }] }),
      place('flight', { p: 'Process' }, { kind: 'message' }),
      place('arrived', { p: 'Process' }, { kind: 'message' }),
    ],
    transitions: [
      transition('accept', [take('link')], [put('flight', { p: v('f') })], {
        free: [{ name: 'f', colour: 'Process' }],
        label: label('send', { from: 'f' }),
      }),
      transition('transfer', [take('flight', { p: v('p') })], [put('arrived', { p: v('p') }), put('link')], {
        delay: num(0.5),
      }),
      transition('deliver', [take('arrived', { p: v('p') })], [], {
        guard: { op: 'ne', a: v('p'), b: v('to') },
        free: [{ name: 'to', colour: 'Process' }],
        label: label('receive', { to: 'to' }),
      }),
    ],
  });

  test('becomes a closed net, written out', () => {
    const closed = close(merge([program, machine]));
    const node = <T extends object>(part: T, ...modules: string[]): T => ({ ...part, modules });
    expect(closed).toEqual({
      name: 'machine+program',
      colours,
      tables: [],
      places: [...program.places.map((p) => node(p, 'program')), ...machine.places.map((p) => node(p, 'machine'))],
      transitions: [
        {
          name: 'accept+send',
          kind: 'communicate',
          process: v('from'),
          inputs: [take('link'), take('ready', { p: v('from') })],
          outputs: [put('flight', { p: v('from') }), put('ended', { p: v('from') })],
          modules: ['machine', 'program'],
        },
        {
          name: 'deliver+receive',
          process: v('to'),
          // The program's variable is now `to`; the machine's `p` remains private, because the name is not used elsewhere.
          inputs: [take('arrived', { p: v('p') }), take('waiting', { p: v('to') })],
          outputs: [put('ended', { p: v('to') })],
          guard: { op: 'ne', a: v('p'), b: v('to') },
          modules: ['machine', 'program'],
        },
        node(machine.transitions[1]!, 'machine'),
      ],
      processes: { colour: 'Process', ended: 'ended' },
    });
    expect(validate(closed)).toEqual([]);
  });

  test('with qualified names', () => {
    const both = merge([qualify(program, 'program', { keep: ['ended'] }), qualify(machine, 'machine')]);
    expect(both.transitions.map((t) => t.name)).toEqual([
      'machine.accept+program.send',
      'machine.deliver+program.receive',
      'machine.transfer',
    ]);
    expect(both.places.map((p) => p.name)).toEqual([
      'program.ready',
      'program.waiting',
      'ended',
      'machine.link',
      'machine.flight',
      'machine.arrived',
    ]);
    expect(both.processes).toEqual({ colour: 'Process', ended: 'ended' });
    expect(both.transitions[0]!.inputs.map((a) => a.place)).toEqual(['machine.link', 'program.ready']);
    expect(both.places.map((p) => p.modules)).toEqual([...Array(3).fill(['program']), ...Array(3).fill(['machine'])]);
  });
});
