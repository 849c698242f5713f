/** A construct of models: what it does, how it is written, and which part of its net is drawn. */
export interface Construct {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The body of `build(m)`; with `draws`, a whole file. */
  readonly snippet: string;
  readonly vars?: string;
  readonly ranks?: number;
  /** The module that is drawn, default the program's own. */
  readonly module?: 'messages' | 'collectives';
  /** Of models that run together: the one whose net is drawn. */
  readonly draws?: string;
}

export interface Chapter {
  readonly title: string;
  readonly text: string;
  readonly constructs: readonly Construct[];
}

export const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Computing',
    text: 'A computation takes `T = W/S + D/B`: flops over the speed of a core, bytes over what the memory gives at the time, which the cores of a socket share.',
    constructs: [
      {
        id: 'compute',
        title: 'compute',
        text: 'Flops on a core. `noise` multiplies the time by a random factor of mean 1. With `seconds` in place of `flops` the time is the same on any machine.',
        snippet: 'm.compute({ flops: s => 1e6 * (s.rank + 1) });',
      },
      {
        id: 'compute-memory',
        title: 'compute with bytes',
        text: 'First the flops, then the bytes; a machine with `memoryAccess: overlapped` does both at once and takes the longer.',
        snippet: 'm.compute({ flops: 1e9, bytes: 8e9 });',
      },
      {
        id: 'file',
        title: 'readFile and writeFile',
        text: 'The latency of the storage, then the bytes at what it gives: all ranks share it. Counts as communicating.',
        snippet: 'm.writeFile({ bytes: 1e9 });',
      },
      { id: 'sleep', title: 'sleep', text: 'Seconds in which the rank is idle.', snippet: 'm.sleep(0.5);' },
    ],
  },
  {
    title: 'Control flow',
    text: "A statement after another one: the rank's token, which carries its variables, moves from the place before the one to the place before the next. What is decided by a function of the state becomes a table of what the function reads.",
    constructs: [
      {
        id: 'when',
        title: 'when',
        text: 'One of two ways, by a function of the state; the second may be left out.',
        snippet: 'm.when(s => s.rank === 0, () => m.compute({ flops: 1e9 }), () => m.sleep(1));',
      },
      {
        id: 'chance',
        title: 'chance',
        text: 'The first way with this probability. Draws are seeded: the same seed, the same run.',
        snippet: 'm.chance(0.1, () => m.compute({ flops: 1e9 }));',
      },
      {
        id: 'loop',
        title: 'loop',
        text: 'The body so many times. The variable counts 0, 1, 2 …, and is the count afterwards; a count that is a function is asked again before every turn. The net is the same for ten turns and a million.',
        vars: 'i: counter()',
        snippet: "m.loop('i', 1000, () => m.compute({ flops: s => 1000 * s.i }));",
      },
      {
        id: 'loop-plain',
        title: 'loop without a variable',
        text: 'Turns that nothing asks for are counted beside the token.',
        snippet: 'm.loop(1000, () => m.compute({ flops: 1e6 }));',
      },
      {
        id: 'while',
        title: 'while',
        text: 'The body as long as the test holds.',
        vars: 'k: range(0, 9)',
        snippet: "m.while(s => s.k < 9, () => m.let('k', s => s.k + 1));",
      },
      {
        id: 'repeat',
        title: 'repeat',
        text: 'The body, and again with this probability: a geometric number of turns.',
        snippet: 'm.repeat(0.9, () => m.compute({ flops: 1e6 }));',
      },
      {
        id: 'let',
        title: 'let',
        text: 'Assigns a variable. It must stay within the values that `vars` declares; a rank that leaves them is told with its line and state.',
        vars: "colour: oneOf('red', 'green')",
        snippet: "m.let('colour', s => (s.rank === 0 ? 'red' : 'green'));",
      },
      {
        id: 'interval',
        title: 'interval',
        text: 'Names a part of the program: results tell where its time goes. It has no net of its own.',
        snippet: "m.interval('solve', () => m.compute({ flops: 1e9 }));",
      },
    ],
  },
  {
    title: 'Messages',
    text: 'A send and a receive meet by source, destination, tag and communicator, in the order of posting. A peer of `null` is MPI_PROC_NULL: nothing happens.',
    constructs: [
      {
        id: 'send',
        title: 'send and recv',
        text: 'A send of fewer bytes than the machine detaches goes on at once; a larger one waits until its message has arrived. `mode` is `standard`, `synchronous`, `buffered` or `ready`.',
        snippet: 'm.when(s => s.rank === 0, () => m.send({ to: 1, bytes: 1e6 }), () => m.recv({ from: 0 }));',
      },
      {
        id: 'transfer',
        title: 'how a message travels',
        text: "The module of messages, which every program is merged with: an eager message is on its way at the send, another when both sides are there; it takes its latency, then its part of the links' bandwidth, which all messages share max-min fairly.",
        snippet: 'm.when(s => s.rank === 0, () => m.send({ to: 1, bytes: 1e6 }), () => m.recv({ from: 0 }));',
        module: 'messages',
      },
      {
        id: 'isend',
        title: 'isend, irecv and wait',
        text: 'A request is complete when a token with its number is in `completed`. `waitAll` is one wait after the other. A send that nothing waits for completes by itself; a receive must be waited for.',
        snippet: `const r = m.irecv({ from: s => 1 - s.rank });
m.isend({ to: s => 1 - s.rank, bytes: 1e6 });
m.compute({ flops: 1e6 });
m.wait(r);`,
      },
      {
        id: 'waitany',
        title: 'waitAny',
        text: 'Goes on with the request that is complete first; `index` takes its position. A later wait for it finds it done.',
        vars: 'which: range(0, 1)',
        snippet: `const all = [m.irecv({ from: null }), m.irecv({ from: null, tag: 1 })];
m.waitAny(all, { index: 'which' });
m.waitAll(all);`,
      },
      {
        id: 'waitsome',
        title: 'waitSome',
        text: 'Waits for the first, then takes all that are complete; `count` takes their number.',
        vars: 'k: range(0, 2)',
        snippet: `const all = [m.irecv({ from: null }), m.irecv({ from: null, tag: 1 })];
m.waitSome(all, { count: 'k' });
m.waitAll(all);`,
      },
      {
        id: 'test',
        title: 'test',
        text: 'Looks whether a request is complete, and goes on at once. A loop of tests needs something in it that takes time.',
        vars: 'done: flag()',
        snippet: `const r = m.irecv({ from: s => 1 - s.rank });
m.send({ to: s => 1 - s.rank, bytes: 8 });
m.while(s => !s.done, () => {
  m.compute({ flops: 1e6 });
  m.test(r, { done: 'done' });
});`,
      },
      {
        id: 'persistent',
        title: 'persistent requests',
        text: '`sendInit` and `recvInit` say once what `start` posts in every turn.',
        snippet: `const [out, into] = [m.sendInit({ to: s => 1 - s.rank, bytes: 8 }), m.recvInit({ from: s => 1 - s.rank })];
m.loop(10, () => {
  m.start(out, into);
  m.waitAll([out, into]);
});`,
      },
      {
        id: 'any',
        title: 'any source, and carried values',
        text: 'A receive from `ANY` takes the oldest message that fits and can be told its source and tag; a message can carry values of variables.',
        vars: "who: rankVar(), order: oneOf('work', 'stop')",
        ranks: 3,
        snippet: `m.when(
  s => s.rank === 0,
  () => m.loop(2, () => {
    m.recv({ from: ANY, into: { source: 'who' } });
    m.send({ to: s => s.who, bytes: 8, carry: { order: 'stop' } });
  }),
  () => {
    m.send({ to: 0, bytes: 8 });
    m.recv({ from: 0, into: { carry: ['order'] } });
  },
);`,
      },
      {
        id: 'sendrecv',
        title: 'sendrecv',
        text: 'Both at once: an `isend`, an `irecv`, and a wait for each.',
        snippet:
          'm.sendrecv({ to: s => (s.rank + 1) % s.size, from: s => (s.rank + s.size - 1) % s.size, bytes: 4096 });',
      },
    ],
  },
  {
    title: 'Collectives, communicators, one-sided',
    text: 'All of MPI: `barrier bcast reduce allreduce scan exscan gather scatter allgather alltoall gatherv scatterv allgatherv alltoallv reducescatter`, each also with an `i` in front, which returns a request.',
    constructs: [
      {
        id: 'allreduce',
        title: 'allreduce',
        text: 'A call puts a token into the module of collectives and waits for it.',
        snippet: 'm.allreduce({ bytes: 8, flops: 1 });',
      },
      {
        id: 'collectives',
        title: 'what a collective does',
        text: 'The module of collectives: every call goes through the rows of its algorithm, which send and receive as programs do. `--collectives` says by which algorithms.',
        snippet: 'm.allreduce({ bytes: 8, flops: 1 });',
        ranks: 3,
        module: 'collectives',
      },
      {
        id: 'iallreduce',
        title: 'a collective beside the program',
        text: 'A non-blocking collective goes on while its rank computes. As in MPI, the k-th collectives of all ranks on a communicator meet, on whichever lines they are called; one may outlast 63 others there.',
        snippet: `const r = m.iallreduce({ bytes: 1e6 });
m.compute({ flops: 1e9 });
m.wait(r);`,
      },
      {
        id: 'split',
        title: 'split',
        text: 'Parts the ranks into groups when the model is built: colour and key are functions of the rank. Ranks in operations on a communicator count within the group.',
        ranks: 4,
        snippet: `const row = m.split({ color: s => Math.floor(s.rank / 2) });
m.bcast({ bytes: 1e6, root: 0, comm: row });`,
      },
      {
        id: 'put',
        title: 'put, get and fence',
        text: 'One-sided transfers: the far rank takes no part. A fence waits for what the rank has put and got, then for all ranks.',
        snippet: `m.when(s => s.rank === 0, () => m.put({ to: 1, bytes: 1e6 }));
m.fence();`,
      },
    ],
  },
  {
    title: 'Coupled models',
    text: 'Codes that run together are models of their own: `mpmd` puts them on ranks one after another. Each has its own variables, its parameters, its `m.size`; its ranks count from 0, and its messages and collectives are among them, unless `comm` says otherwise. A parameter is called `model.parameter`, as in `--set ocean.days=10`. [examples/coupled](../examples/coupled/README.md) is a larger one.',
    constructs: [
      {
        id: 'mpmd',
        title: 'mpmd and everyone',
        text: "A part has so many ranks, or, one of them, `'rest'`: all that are left, at least one. `m.everyone` is the communicator of all ranks of all parts, numbered in the order of the parts: there the clients follow the server, which is rank 0. The net is that of the clients.",
        ranks: 3,
        snippet: `import { ANY, mpmd, rankVar, spmd } from 'foretoken/models';

const server = spmd({
  name: 'server',
  vars: { who: rankVar() },
  build(m) {
    const clients = m.everyone.sizeOf(0) - m.size;
    m.loop(clients, () => {
      m.recv({ from: ANY, into: { source: 'who' }, comm: m.everyone });
      m.send({ to: s => s.who, bytes: 8, comm: m.everyone });
    });
  },
});

const client = spmd({
  name: 'client',
  params: { flops: 1e9 },
  build(m) {
    m.compute({ flops: m.p.flops });
    m.send({ to: 0, bytes: 1e6, comm: m.everyone });
    m.recv({ from: 0, comm: m.everyone });
    m.barrier(); // of the clients alone
  },
});

export default mpmd({
  name: 'service',
  parts: [{ model: server, ranks: 1 }, { model: client, ranks: 'rest' }],
});`,
        draws: 'client',
      },
      {
        id: 'part',
        title: 'part',
        text: '`m.part(name)` says which ranks of `m.everyone` another part has: `first`, and how many, `size`. So neither model has to know where the other one is. Where all parts say their numbers of ranks, as here, the model has their sum, and `--ranks` need not be given. The net is that of the atmosphere.',
        ranks: 4,
        snippet: `import { mpmd, spmd } from 'foretoken/models';

const ocean = spmd({
  name: 'ocean',
  params: { days: 5 },
  build(m) {
    const air = m.part('atmosphere');
    m.loop(m.p.days, () => {
      m.compute({ flops: 8e8 });
      m.sendrecv({ to: s => air.first + s.rank, from: s => air.first + s.rank, bytes: 1e6, comm: m.everyone });
    });
  },
});

const atmosphere = spmd({
  name: 'atmosphere',
  params: { days: 5 },
  build(m) {
    const sea = m.part('ocean');
    m.loop(m.p.days, () => {
      m.compute({ flops: 6e8 });
      m.when(s => s.rank < sea.size, () =>
        m.sendrecv({ to: s => sea.first + s.rank, from: s => sea.first + s.rank, bytes: 1e6, comm: m.everyone }));
    });
  },
});

export default mpmd({
  name: 'climate',
  parts: [{ model: ocean, ranks: 1 }, { model: atmosphere, ranks: 3 }],
});`,
        draws: 'atmosphere',
      },
    ],
  },
];
