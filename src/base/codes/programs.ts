/** Codes of models, machines and quantities. */
export const PROGRAM_AREAS = {
  collective: {
    title: 'Collectives',
    example: 'What provokes it',
    codes: {
      COLL001: { meaning: 'The number of ranks is not an integer >= 1.', example: '0 ranks' },
      COLL002: { meaning: 'The rank is out of range.', example: 'rank 8 of 8' },
      COLL003: { meaning: 'The root is out of range.', example: 'a bcast of 8 ranks with root 8' },
      COLL004: {
        meaning: 'The length of a list with one entry per rank differs from the number of ranks.',
        example: 'a gatherv of 8 ranks with 7 counts',
      },
      COLL005: {
        meaning: 'A number of bytes or operations is not a finite number >= 0.',
        example: 'an allreduce of −8 bytes',
      },
      COLL006: { meaning: 'A peer of a sendRecv is out of range.', example: 'a sendRecv to rank 8 of 8' },
      COLL007: {
        meaning: 'The named algorithm of a collective does not allow this number of ranks.',
        example: '--collectives alltoall=pair for 6 ranks',
      },
      // COLL008 was a note: "each rank counts as a node". Not to be used again.
      COLL009: {
        meaning: 'A range in a file of rules of collectives runs backwards, or begins below 1 rank.',
        example: 'ranks: 64..8',
      },
      COLL010: {
        meaning: 'An operation in a file of rules has no rule for some ranks and bytes, and no selector covers them.',
        example: 'bcast with rules of 0..1023 and 2048.. bytes, without otherwise',
      },
      COLL011: {
        meaning: 'Two rules of an operation in a file of rules apply to the same ranks and bytes.',
        example: 'bcast with rules of 0..1024 and 1024.. bytes',
      },
      COLL012: {
        meaning: 'A rule has bytes, but the algorithm of its operation depends on the ranks only.',
        example: 'barrier: [{ bytes: 8.., algorithm: tree }]',
      },
      COLL013: {
        meaning: "A file is not one of Open MPI's rules (coll_tuned_dynamic_rules_filename, the classic format).",
        example: 'a first row of 512 bytes instead of 0',
      },
      COLL014: {
        meaning:
          "A file of Open MPI's rules has a number of a collective or algorithm, or segments, that are not modelled.",
        example: 'algorithm 7 of a barrier',
      },
    },
  },
  unit: {
    title: 'Quantities with units',
    example: 'What provokes it',
    codes: {
      UNIT001: { meaning: 'A value is neither a number nor a number with a unit.', example: 'latency: fast' },
      UNIT002: {
        meaning: 'A unit is unknown, or belongs to another dimension.',
        example: "cluster({ memory: '12GB', … }), where a rate is expected",
      },
      UNIT003: { meaning: 'A quantity is out of range.', example: "bandwidth: '0GB/s'" },
    },
  },
  model: {
    title: 'Models of programs',
    example: 'What provokes it',
    codes: {
      MODEL001: { meaning: 'The options of `spmd` or `mpmd` are invalid.', example: "spmd({ name: 'x' })" },
      MODEL002: { meaning: 'A variable has no possible value.', example: 'range(3, 1)' },
      MODEL003: { meaning: 'A parameter of noise is out of range.', example: 'noise.lognormal(-1)' },
      MODEL004: {
        meaning: 'The model does not run on this number of ranks.',
        example: '--ranks 3 for a coupled model of 4 ranks',
      },
      MODEL005: { meaning: 'An unknown parameter, or a value of the wrong type.', example: '--set m=3' },
      MODEL006: {
        meaning: 'Sizes of a grid are not integers, or their product is not the number of ranks.',
        example: 'grid2d(6, { sizes: [4, 2] })',
      },
      MODEL010: {
        meaning: 'A function of the state uses the builder.',
        example: 'm.when(s => { m.barrier(); return true; }, …)',
      },
      MODEL011: {
        meaning: 'A block returns a promise, or the builder is used after the model was built.',
        example: 'async build(m) { … }',
      },
      MODEL012: { meaning: 'An argument of a statement has the wrong type.', example: 'm.when(true, …)' },
      MODEL013: { meaning: 'The rank is read while the model is built.', example: 'if (m.rank === 0) m.barrier()' },
      MODEL014: {
        meaning: 'A statement lacks an option, or has two mutually exclusive ones.',
        example: 'm.send({ to: 1 })',
      },
      MODEL015: { meaning: 'An argument is not a request.', example: 'm.wait(3)' },
      MODEL016: {
        meaning: 'A variable is not declared by the model.',
        example: "m.loop('j', 3, …) with vars: { i: counter() }",
      },
      MODEL017: { meaning: 'A communicator belongs to another model.', example: 'm.barrier({ comm: other })' },
      MODEL018: { meaning: 'An unknown option of a statement.', example: 'm.send({ to: 1, byte: 8 })' },
      MODEL019: {
        meaning: 'Too many statements: a loop of JavaScript was unrolled.',
        example: 'for (let i = 0; i < 1e6; i++) m.barrier()',
      },
      MODEL020: {
        meaning:
          'An argument is invalid when a rank reaches the statement; the message gives the rank and its variables.',
        example: 'm.send({ to: s => s.rank + 1, bytes: 8 }) on the last rank',
      },
      MODEL021: {
        meaning: 'A wait for a request that is not posted on every path to it.',
        example: 'm.wait(r); m.wait(r)',
      },
      MODEL022: {
        meaning: 'A request is posted again before a wait for it.',
        example: 'a persistent request that is started twice',
      },
      MODEL023: {
        meaning: 'Nothing waits for a receive or a collective before the program ends.',
        example: 'm.irecv({ from: 0 })',
      },
      MODEL024: {
        meaning: 'Messages carry more different values than supported.',
        example: 'carry: { k: s => s.k } of a counter without a bound',
      },
      MODEL025: {
        meaning:
          'The peers of a statement are too many for a table, because a counter has no bound or the ranks and variables have more than 2^20 values together, and there are too many ranks for all pairs.',
        example: 'to: s => s.k % s.size of 4096 ranks, where k is counter()',
      },
      MODEL026: {
        meaning: 'A receive asks for a value that no message carries.',
        example: "into: { carry: ['order'] } where no send has carry",
      },
      MODEL032: {
        meaning: 'Files are read or written on a machine without storage (a warning).',
        example: 'm.writeFile({ bytes: 1e9 })',
      },
      MODEL027: {
        meaning: 'Ranks of one collective name different roots.',
        example: 'm.bcast({ bytes: 8, root: s => s.rank })',
      },
      MODEL028: { meaning: 'An unknown part of a coupled model.', example: "m.part('oceans')" },
      MODEL029: { meaning: 'The build of a model throws.', example: 'build(m) { const g = gird2d(m.size); }' },
      MODEL030: {
        meaning: 'A computation moves bytes, but the machine has no memory bandwidth.',
        example: 'm.compute({ bytes: 1e9 })',
      },
      MODEL031: {
        meaning: 'Messages are not received before the program ends.',
        example: 'm.send({ to: 0, bytes: 8 }) without a receive',
      },
      MODEL035: {
        meaning:
          'A computation with noise, of the statement or of the machine, on cores that ranks share or slow down.',
        example: 'm.compute({ seconds: 1, noise }) on 8 ranks of a node of 4 cores',
      },
      MODEL043: {
        meaning: 'A region with more threads than workers, on cores whose speed depends on the number of busy ones.',
        example: 'a section of 8 threads under scheduler os with --workers 4, on a machine with turbo',
      },
      MODEL060: {
        meaning: 'The build of a model reads a random number or the time, so that each build gives another model.',
        example: 'build(m) { m.compute({ flops: Math.random() * 1e9 }); }',
      },
      MODEL033: {
        meaning:
          'Ranks call different collectives, or with different sizes, or a rank sends another number of bytes than its peer receives (a warning if the run ends in a deadlock).',
        example: 'm.when(s => s.rank === 0, () => m.allreduce({ bytes: 8 }), () => m.barrier())',
      },
      MODEL036: {
        meaning: 'A statement uses a label that the interface does not have, or not in this way.',
        example: "m.send({ label: 'framse', bytes: 8 })",
      },
      MODEL037: {
        meaning:
          'Labels that are to be connected do not fit: two senders, other carried values, another number of units.',
        example: "compose([a, b], { synchronise: ['x'] }), where a has x: sends('k') and b has x: receives()",
      },
      MODEL038: {
        meaning: 'A label of a module is not connected.',
        example: 'compose([reader, writer], { synchronise: [] }), where both have the label frames',
      },
      MODEL039: {
        meaning: 'A composition names a module or a label that does not exist.',
        example: "compose([reader, writer], { synchronise: ['framse'] })",
      },
      MODEL040: {
        meaning: 'A label is connected more than once.',
        example: "compose([a, b, c], { synchronise: [['a.out', 'b.in'], ['a.out', 'c.in']] })",
      },
      MODEL041: {
        meaning:
          'Models of a choice cannot take the place of each other: their labels differ, or their names or those of their parameters are equal.',
        example: "compose([{ as: 'filter', choose: [blur, writer] }, …])",
      },
      MODEL042: {
        meaning:
          'A program that `map` merges with a machine has an amount that a token cannot carry, or times that are drawn.',
        example: 'm.compute({ flops: 1.5 })',
      },
      MODEL034: {
        meaning: 'A statement of an outer builder is in the block of an inner one.',
        example: 'm.threads({ workers: 2 }, (t) => m.send({ to: 1, bytes: 8 }))',
      },
    },
  },
  thread: {
    title: 'Models of thread programs',
    example: 'What provokes it',
    codes: {
      THR001: { meaning: 'The options of `threads` are invalid.', example: "threads({ name: 'x' })" },
      THR002: { meaning: 'An argument of a statement has the wrong type.', example: "t.loop('k', 'three', …)" },
      THR003: {
        meaning: 'A synchronisation object, task or future does not belong to the program, or has the wrong kind.',
        example: 't.lock(event)',
      },
      THR004: {
        meaning: 'A function of the state returns an invalid value, throws, reads an unknown name, or is not pure.',
        example: 't.compute({ flops: (s) => s.k }) outside a loop over k',
      },
      THR005: { meaning: 'The program has too many steps.', example: "t.loop('k', 1e9, …)" },
      THR006: {
        meaning: 'Constructs that cannot be combined.',
        example: 't.parallelFor({ schedule: "guided", … }) in a task',
      },
      THR007: { meaning: 'The builder is used after the program was built.', example: 'async build(t) { … }' },
      THR008: {
        meaning: 'More threads come to a barrier than it has parties.',
        example: 't.barriers("b", 2) used by three threads',
      },
      THR009: {
        meaning: 'A strand releases an object that it does not hold, or waits for a condition without its mutex.',
        example: 't.unlock(m) without t.lock(m)',
      },
      THR010: {
        meaning: 'An option of a thread program is invalid, or does not belong to its scheduler.',
        example: 'foretoken predict model.ts --scheduler central --victim nearest',
      },
      THR011: {
        meaning:
          'A command or an option does not apply to a thread model, or an option of thread models to another kind of input.',
        example: 'foretoken predict threads.ts --ranks 4',
      },
      THR012: {
        meaning: 'The machine has noise, which threads in ranks do not have (a warning).',
        example: 'foretoken predict hybrid.ts --machine file, with noise in the file',
      },
      THR013: {
        meaning:
          'A net of a thread model has mean times instead of drawn ones (a note), or a diagnosis is that of one run.',
        example: 'foretoken convert threads.ts net.json --machine file, with noise in the file',
      },
    },
  },
  machine: {
    title: 'Machines and placement',
    example: 'What provokes it',
    codes: {
      MACH001: { meaning: 'A machine file cannot be read, or is not a text file.', example: 'an empty file' },
      MACH002: { meaning: 'A machine file is not well-formed YAML or JSON.', example: 'link: { latency: 1us' },
      MACH003: {
        meaning: 'A machine file has anchors, aliases, tags or several documents, which are not supported.',
        example: 'link: &fast { latency: 1us, bandwidth: 1GB/s }',
      },
      MACH004: { meaning: 'A machine file is nested too deeply.', example: '[[[[[[[[ …' },
      MACH005: { meaning: 'An unknown key.', example: 'coresPerNodes: 4' },
      MACH006: { meaning: 'A part is missing.', example: 'a machine without link' },
      MACH007: { meaning: 'A value has the wrong type.', example: 'nodes: many' },
      MACH008: { meaning: 'A number or the length of a list is out of range.', example: 'nodes: 0' },
      MACH009: { meaning: 'An unknown word or an invalid name.', example: 'network: ethernet' },
      MACH011: { meaning: 'Parts of a machine do not fit together.', example: 'a torus of 4 × 4 places for 17 nodes' },
      MACH012: { meaning: 'A machine has too many nodes or links.', example: 'two groups of 200000 nodes' },
      MACH013: { meaning: 'A key is given twice.', example: 'a second line "speed: 1Gf"' },
      MACH020: {
        meaning: 'Neither a file nor a built-in machine has this name.',
        example: '--machine simgrid-backbon',
      },
      MACH021: {
        meaning: 'There are more ranks than cores, without --oversubscribe.',
        example: '9 ranks on 2 nodes of 4 cores, without --oversubscribe',
      },
      MACH022: {
        meaning: 'Options of a machine contradict each other.',
        example: '--placement block --hostfile hosts.txt',
      },
      MACH023: { meaning: 'A placement is neither block, cyclic nor a file.', example: '--placement blok' },
      MACH024: {
        meaning: 'A list of nodes for ranks does not have one entry per rank.',
        example: 'placement: [0, 0, 1] for 4 ranks',
      },
      MACH025: {
        meaning: 'A list or function that places ranks names an unknown node.',
        example: "placement: (rank) => 'nodee' + rank",
      },
      MACH030: {
        meaning: 'An unknown parameter of a machine or platform.',
        example: "changeMachine(machine, 'link.latecny', 'x2')",
      },
      MACH031: {
        meaning: 'A change is not a factor, a percentage or a new value.',
        example: "changeMachine(machine, 'link.latency', '+2us')",
      },
      MACH032: {
        meaning: 'A change does not apply: no value to multiply, or one new value for several different ones.',
        example: "changeMachine(machine, 'memory', 'x2') of a machine without memory",
      },
      MACH026: { meaning: 'Unknown algorithms of collectives.', example: '--collectives binomal' },
      MACH038: {
        meaning: 'An operation whose algorithm cannot be chosen, or which does not exist.',
        example: '--collectives alreduce=rdb',
      },
      MACH039: {
        meaning: 'Unknown algorithm of an operation, or one of SimGrid that is not modelled.',
        example: '--collectives bcast=binomal',
      },
      MACH041: {
        meaning: 'Algorithms of collectives name two selectors, or two algorithms of an operation.',
        example: '--collectives ompi,simgrid',
      },
      MACH042: {
        meaning: 'A machine has the network loggops, which has no links, where messages cross links.',
        example: 'foretoken profile app.ti --machine m.yaml, with network: { kind: loggops, … } in m.yaml',
      },
      MACH043: {
        meaning: 'A host or link of the machine changes over time, where its speed must not.',
        example: 'foretoken predict threads.ts --machine platform.xml, with speed_file of a host in platform.xml',
      },
      MACH044: {
        meaning:
          'Links that serve messages first come, first served, with a network model of SimGrid or with parts that change.',
        example:
          'foretoken predict app.ti --machine m.yaml --network-model simgrid-plain, with sharing: fcfs in m.yaml',
      },
      MACH033: {
        meaning: 'A machine has parts that the replay of a trace ignores (a warning).',
        example: 'foretoken predict app.ti --machine m.yaml, with noise in m.yaml',
      },
      MACH034: {
        meaning: 'A warning: a model is predicted without a machine, so one is assumed.',
        example: 'predict(model)',
      },
      MACH035: {
        meaning: 'A warning: a number without a unit in a machine file is hardly meant in SI units.',
        example: 'speed: 4',
      },
      MACH036: {
        meaning: 'A machine file cannot express a SimGrid platform.',
        example: 'foretoken convert platform.xml machine.yaml, for a cluster with sharing_policy="SHARED"',
      },
      MACH037: {
        meaning: 'Note: a machine file differs from the SimGrid platform from which it is written.',
        example:
          'MACH037 cluster.xml: a message of a host to itself shares no link with others, although it crosses host-1_UP',
      },
    },
  },
  platform: {
    title: 'Platforms, hostfiles, network models',
    example: 'What provokes it',
    codes: {
      PLAT001: { meaning: 'A platform file cannot be read, or is not a text file.', example: 'an empty file' },
      PLAT002: { meaning: 'The platform is not well-formed XML.', example: '<host id="a" speed="1Gf">' },
      PLAT003: { meaning: 'The document type declares markup or entities.', example: '<!DOCTYPE platform [ … ]>' },
      PLAT004: { meaning: 'Elements are nested too deeply.', example: 'a zone in a zone in a zone …' },
      PLAT005: { meaning: 'An element is unknown, not supported, or misplaced.', example: '<storage id="d"/>' },
      PLAT006: { meaning: 'An attribute is unknown, not supported, or missing.', example: '<host id="a"/>' },
      PLAT007: {
        meaning: 'A quantity is out of range or has the wrong unit.',
        example: '<host id="a" speed="1GBps"/>',
      },
      PLAT008: { meaning: 'A duplicate name or route.', example: 'two hosts "a"' },
      PLAT009: { meaning: 'A word or a version is not supported.', example: '<zone id="z" routing="Wifi">' },
      PLAT010: {
        meaning: 'There are more hosts or links than supported, or a radical is invalid.',
        example: 'radical="0-"',
      },
      PLAT011: {
        meaning: "The parameters of a cluster's topology are invalid, or do not fit the number of hosts.",
        example: 'topo_parameters="2;4,4;1,2;1,2" of a cluster of four hosts',
      },
      PLAT012: {
        meaning: 'A route refers to an unknown host, router, zone or link.',
        example: '<route src="a" dst="nobody">',
      },
      PLAT013: {
        meaning: 'The zones do not form one platform: no hosts, two outermost zones, or a zone inside itself.',
        example: 'a platform without hosts',
      },
      PLAT014: {
        meaning: 'A profile of a host or link cannot be read, runs backwards, or has values out of range.',
        example: '<link id="l" bandwidth="1GBps" bandwidth_file="day.txt"/>, with "5 1e9" before "2 5e8" in day.txt',
      },
      PLAT020: {
        meaning: 'There is no route between two hosts that communicate.',
        example: 'two hosts without <route>',
      },
      PLAT021: { meaning: 'A hostfile names an unknown host.', example: 'nodee0' },
      PLAT030: { meaning: 'An unknown network model.', example: '--network-model simgrid' },
      PLAT040: {
        meaning: 'A hostfile cannot be read, is not a text file, or names no host.',
        example: 'an empty file',
      },
      PLAT041: { meaning: 'The number of slots in a hostfile is invalid.', example: 'node0:two' },
      PLAT042: {
        meaning: 'Note: a hostfile has fewer slots than there are ranks, so its lines are repeated.',
        example: 'node0:2 and three ranks',
      },
      PLAT043: { meaning: 'There are more ranks than hosts, and no hostfile.', example: 'nine ranks on eight hosts' },
      PLAT050: {
        meaning: "Warning: a setting in a platform's <config> is not used, by SimGrid's SMPI neither.",
        example: '<config><prop id="network/latency-factor" value="2"/></config>',
      },
      PLAT051: {
        meaning: "Note: a setting in a platform's <config> that changes SimGrid's times is not applied.",
        example: '<config><prop id="smpi/coll-selector" value="mvapich2"/></config>',
      },
      PLAT052: {
        meaning:
          'A setting of --cfg is not KEY:VALUE, SimGrid has none of its name, or the machine is no SimGrid platform.',
        example: '--cfg smpi/oss:0:1e-6:0',
      },
    },
  },
} as const;
