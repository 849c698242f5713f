import { expect, test } from 'vitest';
import { parse, problems } from './support.ts';

/** The recorded action of rank 0 and its amount, in a trace with the same line for all ranks. */
function line(words: string, ranks = 2, init = 'init'): unknown[] {
  const collective = /^(b|re|all|sc|ex|ga)/.test(words);
  const text = Array.from(
    { length: ranks },
    (_, r) => `${r} ${init}\n${r === 0 || collective ? `${r} ${words}\n` : ''}${r} finalize\n`,
  );
  const [first, end] = parse(text.join('')).program[0]!;
  expect(end?.[0]).toMatchObject({ kind: 'end' });
  return first!.slice(0, 2);
}

test.each([
  ['compute 5e4', { kind: 'compute' }, 50000],
  ['compute 1e+06', { kind: 'compute' }, 1e6],
  ['compute 0.1', { kind: 'compute' }, 0.1],
  ['compute 123456789012345678901234', { kind: 'compute' }, Number('123456789012345678901234')],
  ['compute .5e-3', { kind: 'compute' }, 0.0005],
  ['sleep 1.5', { kind: 'sleep' }, 1.5],
  ['send 1 7 100', { kind: 'send', peer: 1, tag: 7 }, 100],
  ['send 1 7 100 0', { kind: 'send', peer: 1, tag: 7 }, 800],
  ['isend 1 7 1e6', { kind: 'isend', peer: 1, tag: 7, request: 0 }, 1e6],
  ['recv 1 7 3 29', { kind: 'recv', peer: 1, tag: 7 }, 24],
  ['recv -555 7 3', { kind: 'recv', peer: null, tag: 7 }, 3],
  ['recv -555 -444 3', { kind: 'recv', peer: null, tag: null }, 3],
  ['recv 1 -444 3', { kind: 'recv', peer: 1, tag: null }, 3],
  ['recv -333 0 3', { kind: 'recv', peer: null, tag: 0 }, 3],
  ['irecv -555 7 3 14', { kind: 'irecv', peer: null, tag: 7, request: 0 }, 48],
  ['irecv 1 7 3', { kind: 'irecv', peer: 1, tag: 7, request: 0 }, 3],
  ['sendRecv 10 1 20 0', { kind: 'sendRecv', to: 1, sendBytes: 10, from: 0, recvBytes: 20 }, 0],
  ['sendRecv 10 1 20 -555 1 3', { kind: 'sendRecv', to: 1, sendBytes: 40, from: null, recvBytes: 40 }, 0],
  ['waitall', { kind: 'waitall' }, 0],
  ['waitall 12', { kind: 'waitall' }, 0],
  ['barrier', { kind: 'barrier' }, 0],
  ['bcast 100', { kind: 'bcast', elementBytes: 1, bytes: 100, root: 0 }, 0],
  ['bcast 100 1', { kind: 'bcast', elementBytes: 1, bytes: 100, root: 1 }, 0],
  ['bcast 100 1 3', { kind: 'bcast', elementBytes: 2, bytes: 200, root: 1 }, 0],
  ['reduce 5e4 5e8', { kind: 'reduce', elementBytes: 1, bytes: 50000, flops: 5e8, root: 0 }, 0],
  ['reduce 5e4 5e8 1', { kind: 'reduce', elementBytes: 1, bytes: 50000, flops: 5e8, root: 1 }, 0],
  ['reduce 5e4 5e8 1 0', { kind: 'reduce', elementBytes: 8, bytes: 400000, flops: 5e8, root: 1 }, 0],
  ['allreduce 10 2.5', { kind: 'allreduce', elementBytes: 1, bytes: 10, flops: 2.5 }, 0],
  ['allreduce 10 2.5 27', { kind: 'allreduce', elementBytes: 32, bytes: 320, flops: 2.5 }, 0],
  ['scan 10 0 0', { kind: 'scan', bytes: 80, flops: 0 }, 0],
  ['exscan 10 0', { kind: 'exscan', bytes: 10, flops: 0 }, 0],
  ['alltoall 500 600', { kind: 'alltoall', sendBytes: 500, recvBytes: 600 }, 0],
  ['alltoall 500 600 0 1', { kind: 'alltoall', sendBytes: 4000, recvBytes: 2400 }, 0],
  ['allgather 5 6 0 1', { kind: 'allgather', sendBytes: 40, recvBytes: 24 }, 0],
  ['gather 5 6', { kind: 'gather', sendBytes: 5, recvBytes: 6, root: 0 }, 0],
  ['gather 5 6 1', { kind: 'gather', sendBytes: 5, recvBytes: 6, root: 1 }, 0],
  ['gather 5 6 1 0 1', { kind: 'gather', sendBytes: 40, recvBytes: 24, root: 1 }, 0],
  ['scatter 5 6 1 1 0', { kind: 'scatter', sendBytes: 20, recvBytes: 48, root: 1 }, 0],
  ['gatherv 5 6 7', { kind: 'gatherv', sendBytes: 5, recvBytes: [6, 7], root: 0 }, 0],
  ['gatherv 5 6 7 1', { kind: 'gatherv', sendBytes: 5, recvBytes: [6, 7], root: 1 }, 0],
  ['gatherv 5 6 7 1 0 1', { kind: 'gatherv', sendBytes: 40, recvBytes: [24, 28], root: 1 }, 0],
  ['scatterv 5 6 7', { kind: 'scatterv', sendBytes: [5, 6], recvBytes: 7, root: 0 }, 0],
  ['scatterv 5 6 7 1 0 1', { kind: 'scatterv', sendBytes: [40, 48], recvBytes: 28, root: 1 }, 0],
  ['allgatherv 5 6 7', { kind: 'allgatherv', elementBytes: 1, sendBytes: 5, recvBytes: [6, 7] }, 0],
  // P = 2: two further numbers are types, not displacements.
  ['allgatherv 5 6 7 0 1', { kind: 'allgatherv', elementBytes: 4, sendBytes: 40, recvBytes: [24, 28] }, 0],
  ['allgatherv 5 6 7 0 1 9 9', { kind: 'allgatherv', elementBytes: 4, sendBytes: 40, recvBytes: [24, 28] }, 0],
  ['alltoallv 9 1 2 9 3 4', { kind: 'alltoallv', sendBytes: [1, 2], recvBytes: [3, 4] }, 0],
  ['alltoallv 9 1 2 9 3 4 0 1', { kind: 'alltoallv', sendBytes: [8, 16], recvBytes: [12, 16] }, 0],
  ['reducescatter 3 4 1e9', { kind: 'reducescatter', recvBytes: [3, 4], flops: 1e9, elementBytes: 1 }, 0],
  ['reducescatter 3 4 1e9 0', { kind: 'reducescatter', recvBytes: [24, 32], flops: 1e9, elementBytes: 8 }, 0],
])('the line "%s" is read', (words, action, amount) => {
  expect(line(words)).toEqual([action, amount]);
});

test('with three ranks, P numbers after the counts of an allgatherv are displacements', () => {
  expect(line('allgatherv 5 6 7 8 0 6 13', 3)).toEqual([
    { kind: 'allgatherv', elementBytes: 1, sendBytes: 5, recvBytes: [6, 7, 8] },
    0,
  ]);
  expect(line('allgatherv 5 6 7 8 0 1', 3)).toEqual([
    { kind: 'allgatherv', elementBytes: 4, sendBytes: 40, recvBytes: [24, 28, 32] },
    0,
  ]);
  expect(line('allgatherv 5 6 7 8 0 1 0 6 13', 3)[0]).toMatchObject({ sendBytes: 40 });
});

test('init with an argument sets the default type to double, for its rank only', () => {
  expect(line('send 1 0 10', 2, 'init 1')).toEqual([{ kind: 'send', peer: 1, tag: 0 }, 80]);
  expect(line('send 1 0 10 6', 2, 'init 1')[1]).toBe(10);
  expect(line('gatherv 5 6 7', 2, 'init 1')[0]).toMatchObject({ sendBytes: 40, recvBytes: [48, 56] });
  const { program } = parse('0 init 1\n1 init\n0 send 1 0 10\n1 send 0 0 10\n0 init\n0 send 1 0 10\n');
  expect(program[0]!.map(([, amount]) => amount)).toEqual([80, 10, 0]);
  expect(program[1]!.map(([, amount]) => amount)).toEqual([10, 0]);
});

test('the sizes of all datatypes', () => {
  const sizes = [8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8];
  const text = sizes.map((_, type) => `0 send 0 0 1 ${type}\n`).join('');
  const [first] = parse(text).program;
  expect(first!.slice(0, -1).map(([, amount]) => amount)).toEqual(sizes);
});

test('init, finalize, communicator actions and locations are counted and not recorded', () => {
  const text = '0 init\n0 comm_size 4\n0 comm_split\n0 comm_dup x\n0 location main.c 12\n0 compute 1\n0 finalize\n';
  const { actions, program } = parse(text);
  expect(actions).toBe(7);
  expect(program).toEqual([
    [
      [{ kind: 'compute' }, 1, ''],
      [{ kind: 'end' }, 0, ''],
    ],
  ]);
});

test('blanks, tabs, comments, carriage returns, a byte order mark and a missing last line feed', () => {
  const text = '\ufeff# x\n\n  0\t init \r\n \t \n 0   compute\t\t5  \n#0 nothing\n0 compute 6';
  expect(parse(text).program[0]!.map(([, amount]) => amount)).toEqual([5, 6, 0]);
});

test('requests are identified by source, destination and tag, and used only if a wait or test refers to them', () => {
  const text = [
    ...[
      '0 isend 1 5 10',
      '0 irecv 1 5 10',
      '0 irecv -555 -444 10',
      '0 isend 1 6 10',
      '0 isend 0 7 10',
      '0 irecv 0 7 10',
    ],
    ...['0 wait 0 1 5', '0 test 1 0 5', '0 wait -555 0 -444', '0 wait 0 0 7', '0 wait 0 0 7', '1 init'],
  ].join('\n');
  const lines = parse(text).program[0]!;
  const requests = lines.map(([action]) => ('request' in action ? action.request : undefined));
  expect(requests).toEqual([0, 1, 2, 3, 4, 4, 0, 1, 2, 4, 4, undefined]);
  expect(lines.map(([, , named]) => named)).toEqual([
    ...['named 1', 'named 1', 'named 1', 'named 0', 'named 1', 'named 1'],
    ...['named 1', 'named 1', 'named 1', 'named 1', 'named 1', ''],
  ]);
});

test('equal actions share a code, for any amounts and spelling', () => {
  // The encoder of `open` fails if it is called twice for one action.
  const { program } = parse(
    '0 send 0 1 10\n0 send 0 01 1e1 6\n0 send 0 1 20\n0 bcast 80\n0 bcast 10 0 0\n0 bcast 1e1 0 4\n',
  );
  expect(program[0]!.map(([, amount]) => amount)).toEqual([10, 10, 20, 0, 0, 0, 0]);
});

test('every row rejects too few and too many arguments, with its form', () => {
  const wrong = [
    'compute',
    'compute 1 2',
    'send 1 0',
    'send 0 0 1 0 0',
    'wait 0 0',
    'barrier 1',
    'finalize 1',
    'bcast',
  ];
  for (const words of [...wrong, 'gather 1 2 0 0', 'sendRecv 1 0 1 0 0', 'alltoallv 1 1', 'waitall 1 2', 'reduce 1']) {
    const { at, messages } = problems(`0 init\n0 ${words}\n`);
    expect(at).toEqual(['TI022 2:3']);
    expect(messages[0]).toContain(`expected "<rank> ${words.split(' ')[0]}`);
  }
  expect(problems('0 gatherv 1\n')).toMatchObject({
    messages: [
      'gatherv cannot have 1 argument: expected "<rank> gatherv sendcount recvcount*P [root [sendtype recvtype]]" (P = 1 ranks).',
    ],
  });
});
