/** Codes of runs and of analyses of nets. */
export const ANALYSIS_AREAS = {
  run: {
    title: 'Runs',
    example: 'What provokes it',
    codes: {
      RUN001: {
        meaning: 'More steps at one instant than allowed: usually an endless cycle without delay.',
        example: 'a transition that takes a token and puts it back at once',
      },
      RUN002: {
        meaning: 'A value is outside the colour set of its field.',
        example: 'i + 1 at the end of a range 0 … 9',
      },
      RUN003: { meaning: 'A table index is out of range.', example: 'times[9] in a table of five' },
      RUN004: {
        meaning:
          'A delay or service time is negative, NaN, or ends at infinity, or a distribution has invalid parameters.',
        example: 'delay −1; exponential of rate 0',
      },
      RUN005: { meaning: 'A count is not an integer from 0 to 10⁶.', example: 'a count of 0.5' },
      RUN006: { meaning: 'A demand on a max-min service is out of range.', example: 'a weight of 0' },
      RUN007: { meaning: 'A route is not in the routes table.', example: 'route 7 of a table of four' },
      RUN008: {
        meaning: 'A weight is not a positive finite number, or a sum of weights is not finite.',
        example: 'a weight of 0',
      },
      RUN009: { meaning: 'A function returned a value of the wrong type.', example: 'Math.log(-1)' },
      RUN010: {
        meaning: 'A saved run belongs to another net or version.',
        example: 'resuming a run after the net was changed',
      },
      RUN011: { meaning: 'The net is too large to compile.', example: 'a million places' },
      RUN012: {
        meaning:
          'An observer runs or saves the run that it observes, or a run is used whose memory another one has (`instead`).',
        example: 'an observer that calls run()',
      },
      RUN013: {
        meaning: 'A memory limit is exceeded: 2 GiB of tokens, 2^23 tokens waiting for a server, 2^22 race clocks.',
        example: 'an unbounded source, run for a billion steps',
      },
      RUN014: { meaning: 'The priority of a token is NaN.', example: 'the priority k / k of a token with k = 0' },
      RUN015: { meaning: 'The process of a draw is not an integer <= 2^53.', example: 'the process k % 0' },
      RUN016: {
        meaning: 'A figure of a result exceeds the range of a double.',
        example: 'three computations of 1e308 flops on one host',
      },
      RUN017: {
        meaning: 'The speed of a race is not a finite number >= 0.',
        example: 'the speed n - 1, where n counts the tokens of an empty place',
      },
      RUN018: {
        meaning: 'The token game is asked to play a net with the lazy solver, which only runs have.',
        example: "a place with service: { …, solver: 'lazy' }",
      },
    },
  },
  simulation: {
    title: 'Simulation and replication',
    example: 'What provokes it',
    codes: {
      SIM001: {
        meaning:
          'A monitor, a recording or a stop condition names an unknown place or transition, or a monitor is invalid.',
        example: "simulate(net, { monitors: { q: { tokens: 'quue' } } })",
      },
      SIM002: {
        meaning: 'A monitor measures firings in progress of a transition without a delay.',
        example: "simulate(net, { monitors: { m: { busy: 'immediate' } } })",
      },
      SIM003: {
        meaning: 'A time, a seed, or a number of steps, of replications or of workers is out of range.',
        example: 'simulate(net, { until: -1 })',
      },
      SIM004: {
        meaning: 'Monitors or a recording are requested for a compiled net, whose observers are fixed.',
        example: "simulate(compile(net), { record: 'all' })",
      },
      SIM005: {
        meaning: 'A saved run is resumed with different monitors or a different recording.',
        example: "simulate(net, { from: saved, monitors: { other: { tokens: 'p' } } })",
      },
      SIM006: {
        meaning: 'A net to be replicated in worker threads has a function that could not be tabulated.',
        example: 'replicate(net, { replications: 100 })',
      },
      SIM007: {
        meaning: 'A module to be replicated cannot be imported, or does not export a net under the given name.',
        example: "replicate({ module: new URL('./model.ts', import.meta.url), export: 'ner' }, { replications: 100 })",
      },
      SIM008: {
        meaning: 'A module builds a different net in a worker thread than in the thread that started it.',
        example: 'a net with a delay from Math.random, called at import',
      },
      SIM009: {
        meaning: 'A summary of no values or of values that are not finite, or an invalid confidence.',
        example: 'summary([1, 2], 95)',
      },
      SIM010: {
        meaning: 'An option is unknown or has the wrong type, which plain JavaScript does not detect.',
        example: 'simulate(net, { maxstep: 5 })',
      },
      SIM011: {
        meaning: 'More than 2^23 firings are recorded, the maximum kept in memory.',
        example: "simulate(net, { record: 'all' }) of a source, run for a billion steps",
      },
    },
  },
  spaceAnswer: {
    title: 'State spaces',
    example: 'What provokes it',
    codes: {
      EXPL001: {
        meaning: 'A place group of --bounds names a place that the net does not have.',
        example: 'foretoken explore net.json --bounds "buffer,ful"',
      },
      EXPL002: {
        meaning: 'A place group of --bounds is empty.',
        example: 'foretoken explore net.json --bounds "buffer;;full"',
      },
      EXPL003: {
        meaning: 'The graph has more states or edges than the drawing limit; its layout would be slow and unreadable.',
        example: 'foretoken explore philosophers.json --graph out.svg, of 2,000 states',
      },
      EXPL004: {
        meaning: 'The file extension of the output is not a supported graph format.',
        example: 'foretoken explore net.json --graph out.png',
      },
      EXPL005: {
        meaning: 'A limit of an exploration is not a positive number, or the search order is unknown.',
        example: 'explore(net, { maxStates: 0 })',
      },
      EXPL006: {
        meaning:
          'An option, input or property does not go together with hash compaction, which keeps hashes instead of markings and edges.',
        example: 'foretoken explore net.json --hash-compact --liveness',
      },
      EXPL007: {
        meaning: 'Hash compaction is asked for a net that cannot be unfolded to a net without colours.',
        example: 'foretoken explore net.json --hash-compact, of a net with a place of unbounded colours',
      },
      EXPL008: {
        meaning: 'The hashes of the maximum number of states do not fit into the memory limit.',
        example: 'foretoken explore net.json --hash-compact --max-states 1e8 --memory 256MiB',
      },
    },
  },
  graph: {
    title: 'Graphs',
    example: 'What provokes it',
    codes: {
      GRAPH001: {
        meaning: 'The graph has more nodes or hosts than the recursive algorithms of graphlib can take.',
        example: 'graphOf(net, { markings: true }) of a net with 3,000 markings',
      },
      GRAPH002: {
        meaning: 'The graph has no node of this name.',
        example: "graphOf(net).path('place:fre', 'place:full')",
      },
    },
  },
  structure: {
    title: 'Structure',
    example: 'What provokes it',
    codes: {
      STR001: {
        meaning: 'An option of a structural analysis is invalid or out of range.',
        example: 'structure(net, { sets: 0 })',
      },
      STR002: {
        meaning: 'A target to be proved unreachable is empty, has path operators, or is not a formula.',
        example: "foretoken structure net.pnml --unreachable 'EF deadlock'",
      },
      STR003: {
        meaning: 'Shapes of unknown nodes, or of a net with colours.',
        example: "verifyShapes(net, { places: { nowhere: { kind: 'start' } } })",
      },
    },
  },
  markov: {
    title: 'Steady states',
    example: 'What provokes it',
    codes: {
      CTMC001: {
        meaning:
          'A delay or service time is neither exponential nor made of exponential phases, so that the net is not a Markov chain.',
        example: 'foretoken steady net.json, of a transition with delay 2',
      },
      CTMC002: {
        meaning: 'The ages of tokens decide what happens next, but are not part of a state of the chain.',
        example: 'two immediate transitions without weights that take the same token',
      },
      CTMC003: {
        meaning:
          'The rate of an exponential delay or phase is not a number from 1e-100 to 1e100 per second, or another parameter of phases is out of range.',
        example: 'a rate of k − 1 for k = 1',
      },
      CTMC004: { meaning: 'The chain has infinitely many states.', example: 'a queue without a capacity' },
      CTMC005: {
        meaning: 'Immediate firings never end, so that no time passes.',
        example: 'two immediate transitions that pass a token back and forth',
      },
      CTMC006: {
        meaning: 'The net may run forever, so that the time until it ends has no mean.',
        example: 'foretoken steady queue.json --absorption',
      },
      CTMC007: { meaning: 'An option of steady has no meaning.', example: 'steady(net, { at: -1 })' },
    },
  },
  modelCheckers: {
    title: 'Models for PRISM and Storm',
    example: 'What provokes it',
    codes: {
      LANG001: {
        meaning:
          'A delay is neither exponential nor one whose phases can be written, or a service time is not exponential.',
        example: 'foretoken convert net.json net.prism, of a transition with delay 2',
      },
      LANG002: {
        meaning: 'A step takes no time: an immediate transition, or the start of a holding one.',
        example: 'netToPrism(net), of a net with an immediate transition',
      },
      LANG003: {
        meaning: 'A variable has no known bound.',
        example: 'netToPrism(net), of a queue without a capacity',
      },
      LANG004: {
        meaning: 'A rate or weight looks up numbers of tokens in a table or function.',
        example: 'netToJani(net), of a race with the speed table[#queue]',
      },
      LANG005: {
        meaning: 'Priorities and weights of immediate steps would make the text too long.',
        example: 'netToJani(net), of 400 immediate transitions with weights',
      },
      LANG006: {
        meaning: 'The chain begins in several states, but explicit files have one initial state.',
        example: 'foretoken convert net.json chain.tra, of a net that begins with a random choice',
      },
      LANG007: {
        meaning: 'The chain has more states than explicit files are written for.',
        example: 'foretoken convert net.json chain.tra, of a net with a million markings',
      },
    },
  },
  statistics: {
    title: 'Simulated steady states',
    example: 'What provokes it',
    codes: {
      STAT001: {
        meaning: 'An option of a simulated steady state has no meaning, or does not apply to the method.',
        example: "steady(net, { method: 'simulate', precision: 0 })",
      },
      STAT002: {
        meaning: 'A simulated reward is a function, or contains something other than token counts and firings.',
        example: "steady(net, { method: 'simulate', rewards: { stuck: 'dead' } })",
      },
      STAT003: {
        meaning:
          'The times of a thread model are drawn before each run, so that its long run is not that of one net. `predict` with replications gives the mean run time.',
        example: '`foretoken steady noisy.ts`, where a computation of threads has `noise`',
      },
    },
  },
  bounds: {
    title: 'Cycle times and bounds',
    example: 'What provokes it',
    codes: {
      BND001: {
        meaning: 'The net has no delays, so that it has no speed.',
        example: 'cycleTime(net), of a net without delays that has a transition without input',
      },
      BND002: {
        meaning:
          'The net is no marked graph with constant delays, so that it has no cycle time; or its runs differ in more than times, so that their time has no bounds.',
        example: 'cycleTime(net), of a place with two transitions that take from it',
      },
      BND003: {
        meaning: 'The net is too large.',
        example: 'cycleTime(net), of a firing that gives 10⁶ tokens, which another transition takes one by one',
      },
      BND004: {
        meaning: 'Transitions fire without end at one instant.',
        example: 'cycleTime(net), of a cycle of immediate transitions with a token',
      },
      BND005: {
        meaning: 'Bounds do not cover a race with a speed or age memory, or a weight that counts tokens.',
        example: 'throughputBounds(net), of a race with age memory',
      },
    },
  },
  coverability: {
    title: 'Coverability',
    example: 'What provokes it',
    codes: {
      COV001: {
        meaning:
          'A transition has an inhibitor or a capacity on places that other transitions fill without that limit; coverability is undecidable.',
        example: 't.inhibit(buffer) of a buffer without capacity',
      },
      COV002: {
        meaning: 'The net has resets, for which boundedness is undecidable.',
        example: 'upper-bound(tokens(p)) of a net with t.reset(q)',
      },
      COV003: {
        meaning: 'The condition has too many minimal markings to list, or more tokens may make it false.',
        example: 'tokens(a) + … + tokens(z) >= 1000',
      },
      COV004: {
        meaning: 'Warning: a run reached its step limit, and the net never stops or has an unbounded place.',
        example: 'foretoken predict source.json --max-steps 1000',
      },
    },
  },
  reduction: {
    title: 'Reductions',
    example: 'What provokes it',
    codes: {
      RED001: {
        meaning: 'The net has priorities, or both race and immediate transitions, so its steps do not commute.',
        example: 'foretoken verify gspn.json -p deadlock-free --reduce stubborn',
      },
      RED002: {
        meaning:
          'The requested reduction does not preserve the property: paths, liveness, bounds and counts need the full state space.',
        example: 'foretoken verify net.pnml -p live --reduce stubborn',
      },
      RED003: {
        meaning: 'A structural reduction rule is unknown, or does not preserve the requested class of properties.',
        example: "structurallyReduced(petri, { keep: 'paths', visible: new Set() }, ['post-fusion'])",
      },
      RED004: {
        meaning:
          'A place holds more than 2³¹ − 1 tokens, initially or in a marking reached by the search; the net may be unbounded.',
        example: 'a transition that doubles the tokens of a place',
      },
      RED005: {
        meaning: 'The net cannot be unfolded to a place/transition net, which reductions require.',
        example: 'foretoken verify net.json -p deadlock-free --reduce all, of a queue of several colours',
      },
      RED006: { meaning: 'Unknown reduction.', example: "verify(net, ['safe'], { reduce: 'stuborn' })" },
    },
  },
  safe: {
    title: 'Safe nets',
    example: 'What provokes it',
    codes: {
      SAFE001: {
        meaning: 'A place is unbounded, or its bound is unknown: only bounded nets have an equivalent safe net.',
        example: 'a producer without a consumer',
      },
      SAFE002: {
        meaning: 'The safe net would have more places and transitions than the limit.',
        example: 'a transition with ten places of up to nine tokens each',
      },
      SAFE004: {
        meaning: 'A place of the net holds several tokens, and the safe net could not keep a time of the net.',
        example: 'a queue of several tokens at a server',
      },
    },
  },
  property: {
    title: 'Properties',
    example: 'What provokes it',
    codes: {
      PROP001: { meaning: 'A property has a syntax error.', example: 'AG(tokens(p) <= )' },
      PROP002: { meaning: 'A property names an unknown place.', example: 'AG tokens(bufer) <= 3' },
      PROP003: { meaning: 'A property names an unknown transition.', example: 'EF enabled(prodcue)' },
      PROP004: {
        meaning: 'A colour does not fit its place: wrong columns or an invalid value.',
        example: 'EF tokens(light[purple]) > 0',
      },
      PROP005: { meaning: 'A formula is nested too deeply.', example: '!!!!! … deadlock' },
      PROP006: {
        meaning: 'A number is not an integer, or too large for exact arithmetic.',
        example: 'AG tokens(p) <= 99999999999999999999',
      },
      PROP007: {
        meaning: 'There is nothing to verify: an empty property, an empty list, a file without properties.',
        example: "foretoken verify net.pnml --property ''",
      },
      PROP008: {
        meaning: 'The formula of final markings has path operators or contains deadlock.',
        example: "verify(net, ['deadlock-free'], { final: 'EF dead' })",
      },
      PROP009: {
        meaning: 'A value is not a property, or has an unknown kind or operator.',
        example: "verify(net, [{ kind: 'saef' }])",
      },
      PROP010: { meaning: 'Two properties have one name.', example: "[{ id: 'a', … }, { id: 'a', … }]" },
      PROP011: {
        meaning:
          'Soundness is asked of a net that is not a workflow net: one source place with one token, one sink place, all on paths.',
        example: 'verify NET -p sound, where two places have no output',
      },
      PROP020: { meaning: 'A file of formulas cannot be read.', example: '--formulas missing.xml' },
      PROP021: { meaning: 'A file of formulas is not well-formed XML.', example: '<property-set><property>' },
      PROP022: {
        meaning: 'A file of formulas declares entities or other markup in its DOCTYPE, or is nested too deeply.',
        example: '<!DOCTYPE a [<!ENTITY b "…">]>',
      },
      PROP023: { meaning: 'An element of a file of formulas is unknown or misplaced.', example: '<exists-path><nxt>' },
      PROP030: {
        meaning: 'A sequence of steps does not fit the net: a step is not possible.',
        example: 'replay(net, steps)',
      },
      PROP031: {
        meaning: 'An option of a verification is out of range, or contradicts another.',
        example: 'foretoken verify net.pnml --order depth',
      },
    },
  },
  game: {
    title: 'Token game',
    example: 'What provokes it',
    codes: {
      GAME001: { meaning: 'A binding is fired that is not enabled.', example: "game.fire('send(x=9)')" },
      GAME002: { meaning: 'No marking is kept under a name.', example: "game.return('start')" },
      GAME003: {
        meaning: 'Tokens set by hand do not fit: the place is unknown, or a value is outside its colour set.',
        example: "game.setTokens('buffer', [[-1]])",
      },
      GAME004: {
        meaning: 'A witness does not fit the net: one of its steps is not possible.',
        example: 'foretoken view other-net.json --witness result.json',
      },
      GAME005: {
        meaning: 'A file has no witness that can be stepped through.',
        example: 'foretoken view net.json --witness prediction.json',
      },
      GAME006: {
        meaning: 'The text of a game, as in the address of a page, belongs to another net or seed, or is damaged.',
        example: 'TokenGame.continued(otherNet, game.text)',
      },
    },
  },
} as const;
