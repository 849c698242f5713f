/** A construct of models: its description, its code, and the part of its net that is drawn. */
export interface Construct {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The body of `build(m)`; with `draws`, a complete file. */
  readonly snippet: string;
  readonly vars?: string;
  readonly ranks?: number;
  /** The module to draw; default: the module of the program itself. */
  readonly module?: 'messages' | 'collectives';
  /** For coupled models: name of the model whose net is drawn. */
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
    text: 'A computation takes `T = W/S + D/B`: flops divided by the speed of a core, bytes divided by the current memory bandwidth. The cores of a socket share the memory bandwidth.',
    constructs: [
      {
        id: 'compute',
        title: 'compute',
        text: 'Flops on a core. `noise` multiplies the time by a random factor of mean 1. With `seconds` instead of `flops` the time is the same on any machine.',
        snippet: 'm.compute({ flops: s => 1e6 * (s.rank + 1) });',
      },
      {
        id: 'compute-memory',
        title: 'compute with bytes',
        text: 'First the flops, then the bytes. On a machine with `memoryAccess: overlapped` both run at once, and the longer one counts.',
        snippet: 'm.compute({ flops: 1e9, bytes: 8e9 });',
      },
      {
        id: 'file',
        title: 'readFile and writeFile',
        text: 'The latency of the storage, then the bytes at its bandwidth, which all ranks share. Counts as communicating.',
        snippet: 'm.writeFile({ bytes: 1e9 });',
      },
      { id: 'sleep', title: 'sleep', text: 'The rank is idle for this number of seconds.', snippet: 'm.sleep(0.5);' },
    ],
  },
  {
    title: 'Control flow',
    text: "The rank's token carries its variables. A statement moves it from the place before the statement to the place before the next one. A function of the state becomes a table over the variables that it reads.",
    constructs: [
      {
        id: 'when',
        title: 'when',
        text: 'One of two branches, chosen by a function of the state; the second branch is optional.',
        snippet: 'm.when(s => s.rank === 0, () => m.compute({ flops: 1e9 }), () => m.sleep(1));',
      },
      {
        id: 'chance',
        title: 'chance',
        text: 'Takes the first branch with this probability. Draws are seeded: the same seed gives the same run.',
        snippet: 'm.chance(0.1, () => m.compute({ flops: 1e9 }));',
      },
      {
        id: 'loop',
        title: 'loop',
        text: 'Repeats the body this number of times. The variable counts 0, 1, 2 … and equals the count afterwards. A count that is a function is evaluated before every iteration. The net has the same size for ten iterations and for a million.',
        vars: 'i: counter()',
        snippet: "m.loop('i', 1000, () => m.compute({ flops: s => 1000 * s.i }));",
      },
      {
        id: 'loop-plain',
        title: 'loop without a variable',
        text: 'If the program does not use the iteration number, a separate counter counts the iterations.',
        snippet: 'm.loop(1000, () => m.compute({ flops: 1e6 }));',
      },
      {
        id: 'while',
        title: 'while',
        text: 'Repeats the body as long as the test holds.',
        vars: 'k: range(0, 9)',
        snippet: "m.while(s => s.k < 9, () => m.let('k', s => s.k + 1));",
      },
      {
        id: 'repeat',
        title: 'repeat',
        text: 'Runs the body, and repeats it with this probability: a geometric number of iterations.',
        snippet: 'm.repeat(0.9, () => m.compute({ flops: 1e6 }));',
      },
      {
        id: 'let',
        title: 'let',
        text: 'Assigns a variable. The value must be one that `vars` declares; otherwise the error names the line, the rank and its state.',
        vars: "colour: oneOf('red', 'green')",
        snippet: "m.let('colour', s => (s.rank === 0 ? 'red' : 'green'));",
      },
      {
        id: 'interval',
        title: 'interval',
        text: 'Names a part of the program, for which results report the time separately. It adds nothing to the net. Options say what [profiles](profile.md#intervals-of-models) need: `kind` sequential or parallel, an integer `expression` that tells executions apart, loop `iterations`, and the collective `operation` that the interval is.',
        snippet: "m.interval('solve', { kind: 'parallel' }, () => m.compute({ flops: 1e9 }));",
      },
    ],
  },
  {
    title: 'Messages',
    text: 'A send and a receive match by source, destination, tag and communicator, in the order of posting. The peer `null` is MPI_PROC_NULL: nothing happens.',
    constructs: [
      {
        id: 'send',
        title: 'send and recv',
        text: 'A send of fewer bytes than `detachedBelow` returns at once; a larger one waits until its message has arrived. `mode` is `standard`, `synchronous`, `buffered` or `ready`.',
        snippet: 'm.when(s => s.rank === 0, () => m.send({ to: 1, bytes: 1e6 }), () => m.recv({ from: 0 }));',
      },
      {
        id: 'transfer',
        title: 'how a message travels',
        text: "The module of messages is merged with every program. An eager message starts to travel at the send, any other when both sides are posted. It takes its latency, then its share of the links' bandwidth, which all messages share max-min fairly. With `sharing: fcfs` it waits for one link after the other.",
        snippet: 'm.when(s => s.rank === 0, () => m.send({ to: 1, bytes: 1e6 }), () => m.recv({ from: 0 }));',
        module: 'messages',
      },
      {
        id: 'isend',
        title: 'isend, irecv and wait',
        text: 'A request is complete when a token with its number is in `completed`. `waitAll` is a sequence of waits. A send needs no wait; a receive must be waited for.',
        snippet: `const r = m.irecv({ from: s => 1 - s.rank });
m.isend({ to: s => 1 - s.rank, bytes: 1e6 });
m.compute({ flops: 1e6 });
m.wait(r);`,
      },
      {
        id: 'waitany',
        title: 'waitAny',
        text: 'Continues when the first request is complete; `index` receives its position. A later wait for it returns at once.',
        vars: 'which: range(0, 1)',
        snippet: `const all = [m.irecv({ from: null }), m.irecv({ from: null, tag: 1 })];
m.waitAny(all, { index: 'which' });
m.waitAll(all);`,
      },
      {
        id: 'waitsome',
        title: 'waitSome',
        text: 'Waits for the first, then takes all complete requests; `count` receives their number.',
        vars: 'k: range(0, 2)',
        snippet: `const all = [m.irecv({ from: null }), m.irecv({ from: null, tag: 1 })];
m.waitSome(all, { count: 'k' });
m.waitAll(all);`,
      },
      {
        id: 'test',
        title: 'test',
        text: 'Tests whether a request is complete, and continues at once. A loop of tests must contain a statement that takes time.',
        vars: 'done: flag()',
        snippet: `const r = m.irecv({ from: s => 1 - s.rank });
m.send({ to: s => 1 - s.rank, bytes: 8 });
m.while(s => !s.done, () => {
  m.compute({ flops: 1e6 });
  m.test(r, { done: 'done' });
});`,
      },
      {
        id: 'testany',
        title: 'testAny, testSome and testAll',
        text: '`testAny` takes the first complete request of the list, if there is one, `testSome` every complete one; `testAll` tells whether all are. None waits. If all requests were taken before, `testAny` sets `done`, as MPI does. They are tests and takes one after the other, at one instant.',
        vars: 'done: flag(), which: range(0, 1)',
        snippet: `const all = [m.irecv({ from: null }), m.irecv({ from: null, tag: 1 })];
m.testAny(all, { done: 'done', index: 'which' });
m.waitAll(all);`,
      },
      {
        id: 'probe',
        title: 'probe and iprobe',
        text: '`probe` waits until a message is sent that a receive of the same source, tag and communicator would take, and leaves it there; `iprobe` sets `done` instead of waiting. A message counts from its send on, eager or not, as in SimGrid; one that an open receive takes does not count. `into` takes its source and tag. Neither takes time. A loop of iprobes must contain a statement that takes time. SMPI looks in intervals: an MPI_Iprobe costs `smpi/iprobe`, 0.1 ms by default, times the number of vain looks of all ranks since the last one with a message (`smpi/grow-injected-times`), and an MPI_Probe is a loop of these. Its probes end late by up to such an interval; to model that, let an `iprobe` in a loop follow a `sleep`. In schedules and under LogGOPS probes are refused (GOAL008), and lumping simulates every rank.',
        vars: 'who: rankVar(), done: flag()',
        snippet: `m.when(
  s => s.rank === 0,
  () => {
    m.probe({ from: ANY, into: { source: 'who' } });
    m.compute({ flops: 1e6 });
    m.recv({ from: s => s.who });
    m.iprobe({ from: ANY, done: 'done' });
  },
  () => m.send({ to: 0, bytes: 8 }),
);`,
      },
      {
        id: 'persistent',
        title: 'persistent requests',
        text: '`sendInit` and `recvInit` define an operation once; `start` posts it in every iteration.',
        snippet: `const [out, into] = [m.sendInit({ to: s => 1 - s.rank, bytes: 8 }), m.recvInit({ from: s => 1 - s.rank })];
m.loop(10, () => {
  m.start(out, into);
  m.waitAll([out, into]);
});`,
      },
      {
        id: 'any',
        title: 'any source, and carried values',
        text: 'A receive from `ANY` takes the oldest matching message and can store its source and tag in variables. Of messages that arrive at one instant, rules S10 and S12 of the [semantics](semantics.md#time) select one: a prediction is then one of several possible results. `predict` warns of it (APP050), `--ties random --replications 100` shows the spread, and `verify` examines all orders. A message can carry values of variables.',
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
        text: 'Sends and receives at once: an `isend`, an `irecv`, and a wait for each.',
        snippet:
          'm.sendrecv({ to: s => (s.rank + 1) % s.size, from: s => (s.rank + s.size - 1) % s.size, bytes: 4096 });',
      },
    ],
  },
  {
    title: 'Collectives, communicators, one-sided',
    text: 'All collectives of MPI: `barrier bcast reduce allreduce scan exscan gather scatter allgather alltoall gatherv scatterv allgatherv alltoallv reducescatter`, each also as a non-blocking variant with the prefix `i`, which returns a request.',
    constructs: [
      {
        id: 'allreduce',
        title: 'allreduce',
        text: 'A call puts a token into the module of collectives and waits for it.',
        snippet: 'm.allreduce({ bytes: 8, flops: 1 });',
      },
      {
        id: 'collectives',
        title: 'how a collective runs',
        text: 'The module of collectives: every call goes through the rows of its algorithm, which send and receive as programs do. `--collectives` selects the [algorithms](collectives.md).',
        snippet: 'm.allreduce({ bytes: 8, flops: 1 });',
        ranks: 3,
        module: 'collectives',
      },
      {
        id: 'iallreduce',
        title: 'non-blocking collectives',
        text: 'A non-blocking collective proceeds while its rank computes. As in MPI, the k-th collective calls of all ranks on a communicator match, regardless of their lines. Up to 63 later collectives of the communicator may start before one is complete. Under `--collectives simgrid` it has [other algorithms](collectives.md#simgrid-non-blocking-calls) than the blocking call.',
        snippet: `const r = m.iallreduce({ bytes: 1e6 });
m.compute({ flops: 1e9 });
m.wait(r);`,
      },
      {
        id: 'split',
        title: 'split',
        text: 'Splits the ranks into groups when the model is built; `color` and `key` are functions of the rank. Operations on a communicator use the rank within the group.',
        ranks: 4,
        snippet: `const row = m.split({ color: s => Math.floor(s.rank / 2) });
m.bcast({ bytes: 1e6, root: 0, comm: row });`,
      },
      {
        id: 'put',
        title: 'put, get and fence',
        text: 'One-sided transfers: the target rank takes no part. A fence waits for the puts and gets of its rank, then for all ranks. Creating a window costs 0.2 to 1.2 ms in SMPI, which is not modelled.',
        snippet: `m.when(s => s.rank === 0, () => m.put({ to: 1, bytes: 1e6 }));
m.fence();`,
      },
      {
        id: 'accumulate',
        title: 'accumulate',
        text: 'A put that waits for its arrival in the call, as SMPI does for `MPI_Accumulate`; its arithmetic takes no time there, either.',
        snippet: `m.when(s => s.rank === 0, () => m.accumulate({ to: 1, bytes: 1e6 }));
m.fence();`,
      },
    ],
  },
  {
    title: 'Coupled models',
    text: 'Codes that run together are separate models; `mpmd` places them on consecutive ranks. Each model has its own variables, parameters and `m.size`. Its ranks count from 0, and its messages and collectives stay among them unless `comm` names another communicator. A parameter is called `model.parameter`, as in `--set ocean.days=10`. [examples/coupled](../examples/coupled/README.md) is a larger example.',
    constructs: [
      {
        id: 'mpmd',
        title: 'mpmd and everyone',
        text: "A part has a number of ranks; one part may have `'rest'`, all remaining ranks, at least one. `m.everyone` is the communicator of all ranks of all parts, numbered in the order of the parts: here the server is rank 0, and the clients follow. The drawing shows the net of the clients.",
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
        text: '`m.part(name)` gives the ranks of another part in `m.everyone`: the first rank, `first`, and their number, `size`. So neither model depends on the position of the other. If all parts have a fixed number of ranks, as here, the model has their sum, and `--ranks` is optional. The drawing shows the net of the atmosphere.',
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
