/** Codes of commands and of the functions behind them. */
export const COMMAND_AREAS = {
  profile: {
    title: 'Profiles',
    example: 'What provokes it',
    codes: {
      PROF001: {
        meaning: 'An instant lies outside the run.',
        example: 'foretoken profile states.csv --at 100, of a run of one second',
      },
      PROF002: {
        meaning: 'A process number is not one of the run.',
        example: 'foretoken profile states.csv --process 8, of a run on 8 processes',
      },
      PROF003: {
        meaning: 'The run has no interval of this path.',
        example: 'foretoken profile states.csv --interval solv',
      },
      PROF004: { meaning: 'A warning: the record has no states.', example: 'a states.csv with a header only' },
      PROF005: {
        meaning: 'A warning: the record notes a diagnosis of its run, for instance a deadlock.',
        example: 'foretoken profile run.ftrun, of a program that deadlocks',
      },
      PROF006: {
        meaning: 'An input is a net, or an option does not apply to the input.',
        example: 'foretoken profile run.ftrun --machine cluster.yaml',
      },
      PROF007: {
        meaning: 'A warning: a process goes on while its node does not take part in the run.',
        example: 'a row of states from 1 to 2 s, and stays of the node from 0 to 1.2 s and from 1.5 to 2 s',
      },
      PROF008: {
        meaning: 'A warning: a record that is followed has no end yet, and a part of it is profiled.',
        example: 'foretoken profile run.jsonl --follow',
      },
      PROF010: {
        meaning: 'A warning: a run record was cut off, and its page shows the part that is complete.',
        example: 'foretoken view run.jsonl -o run.html, of a run that was killed',
      },
      PROF009: {
        meaning:
          'A warning: the recorder of a record that is followed writes rows so late that earlier profiles were wrong.',
        example: 'all messages of a run after all of its states, with --follow',
      },
    },
  },
  diagnosis: {
    title: 'Diagnoses',
    example: 'What provokes it',
    codes: {
      DIAG001: {
        meaning: 'A threshold or another option of a diagnosis is out of its range.',
        example: 'foretoken diagnose workers.csv --active 1.5',
      },
      DIAG002: {
        meaning: 'A sequential time is given for a region that the run does not have, or without a region for several.',
        example: 'foretoken diagnose workers.csv --sequential lop=2.5',
      },
      DIAG003: {
        meaning: 'The monitoring period is too short: the run would have more than 10,000 periods.',
        example: 'foretoken diagnose workers.csv --period 1e-9',
      },
      DIAG004: { meaning: 'The input is not a recording of worker states.', example: 'foretoken diagnose trace.ti' },
      DIAG005: {
        meaning: 'A warning: the run has more than 100,000 workers, so that only sums are listed.',
        example: 'a workers.csv of a million workers',
      },
      DIAG008: {
        meaning: 'A run of a thread model takes more than 10⁹ steps.',
        example: 'foretoken diagnose model.ts, of a model with 10⁸ tasks',
      },
      DIAG009: {
        meaning: 'An option of recorded runs is given for a model, or the reverse.',
        example: 'foretoken diagnose workers.csv --workers 8',
      },
    },
  },
  app: {
    title: 'Jobs',
    example: 'What provokes it',
    codes: {
      APP001: { meaning: 'An input cannot be read.', example: 'foretoken predict missing.ti --machine m.xml' },
      APP002: { meaning: 'A trace comes without a machine.', example: 'foretoken predict x.ti' },
      APP003: { meaning: 'An input exceeds the size limit.', example: 'a net.json of a gigabyte' },
      APP004: {
        meaning: 'An option does not apply to this kind of input: a machine with a net, an end time with a trace.',
        example: 'foretoken predict net.json --machine m.xml',
      },
      APP005: {
        meaning: 'The extension of the output names no format that a net can be written in.',
        example: 'foretoken convert net.json net.pdf',
      },
      APP006: { meaning: 'An output cannot be written.', example: 'foretoken convert net.json /nowhere/net.txt' },
      APP007: {
        meaning: 'An output would overwrite an input, or has no name.',
        example: 'foretoken convert net.json net.json',
      },
      APP008: {
        meaning: 'A limit for unfolding or for safe nets is given, but neither is requested.',
        example: 'foretoken convert net.json flat.csv --limit 1000',
      },
      APP009: {
        meaning: 'An input has a format that cannot be read here: a write-only format, a CPN Tools net, a machine.',
        example: 'foretoken convert net.cpn net.json',
      },
      APP010: {
        meaning: 'A file is not a result document of the expected kind, or is damaged.',
        example: 'foretoken rerun net.json',
      },
      APP011: {
        meaning: 'An input has changed since the result was written. The message gives both hashes.',
        example: 'foretoken rerun result.json',
      },
      APP012: {
        meaning: 'A result cannot be repeated: it was cut short, or its input was standard input.',
        example: 'foretoken predict - --machine m.yaml --json > r.json; foretoken rerun r.json',
      },
      APP030: {
        meaning: 'A state space is requested for a file whose extension is neither that of a net nor of a model.',
        example: 'foretoken explore trace.ti',
      },
      APP021: { meaning: 'The module of a model throws.', example: 'import { spmd } from "foretoken/modles"' },
      APP022: { meaning: 'A module exports no model.', example: 'foretoken predict tsconfig.ts' },
      APP023: {
        meaning: 'A module exports several models but has no default export.',
        example: 'export const a = spmd(…), b = spmd(…)',
      },
      APP024: {
        meaning:
          'A precision of the run time is requested for a model without random parts, or for a net whose runs end at a requested time.',
        example: 'foretoken predict exact.ts --precision 1%',
      },
      APP025: {
        meaning:
          'A number of replications, a precision or a confidence is out of range, or a confidence is given without replications.',
        example: 'foretoken predict model.ts --precision 200%',
      },
      APP026: {
        meaning: 'The net of a model has no module of this name.',
        example: 'foretoken convert jacobi.ts x.dot --module mesages',
      },
      APP027: {
        meaning: 'A model is not built in time (300 s, or FORETOKEN_BUILD_LIMIT).',
        example: 'build(m) { while (true) {} }',
      },
      APP034: {
        meaning: 'Both the unfolded and the safe net are requested.',
        example: 'foretoken convert net.json out.pnml --unfold --safe',
      },
      APP040: {
        meaning: 'A model ends its process or sends a signal to it.',
        example: 'build(m) { process.exit(0); }',
      },
      APP041: {
        meaning: 'The module of a model awaits a promise that never settles.',
        example: 'await new Promise(() => {});',
      },
      APP042: {
        meaning: 'A model throws outside its build: in a timer, or by an unhandled rejection.',
        example: 'setTimeout(() => { throw new Error(); });',
      },
      APP043: {
        meaning: 'A warning: a model leaves timers, servers or other work running; they are stopped.',
        example: 'build(m) { setInterval(poll, 1000); … }',
      },
      APP044: {
        meaning: 'FORETOKEN_BUILD_LIMIT is not a number of seconds.',
        example: 'FORETOKEN_BUILD_LIMIT=soon foretoken predict model.ts',
      },
      APP045: {
        meaning: 'The thread of a model ended without an answer.',
        example: "require('node:worker_threads').parentPort.close();",
      },
      APP046: {
        meaning:
          'A warning: the run of a net stops in a marking that is not one of the final markings that the net lists, or before all processes that it declares have ended.',
        example: 'foretoken predict workflow.pnml, where a branch never reaches the last place',
      },
      APP047: {
        meaning:
          'A warning: a net file contains something that its standard does not define. The message says how it was read.',
        example: 'foretoken predict pipe.xml, whose transitions have a <rate>',
      },
      APP048: {
        meaning:
          'Repeating this result runs a module, which is a program: only with `--trust`, or after a yes on a terminal.',
        example: 'foretoken rerun downloaded.json',
      },
      APP049: {
        meaning: 'An output exists already, and `--no-clobber` keeps existing files.',
        example: 'foretoken predict x.ti --machine cluster.xml --trace old.json --no-clobber',
      },
      APP050: {
        meaning:
          'A warning: ties decide figures: names decide which of several simultaneous firings of a net happens, or simultaneous messages decide which one a wildcard receive takes.',
        example:
          'two immediate transitions without weights that take from one place; two ranks that send at once to `ANY`',
      },
      APP052: {
        meaning:
          'A note: two transitions without delay compete for tokens and have no weights, so that the ages of tokens decide: runs are no Markov process.',
        example: 'two immediate transitions without weights that take from one place, in a net with exponential delays',
      },
      APP051: {
        meaning: 'The working directory was deleted.',
        example: 'mkdir x && cd x && rmdir ../x && foretoken predict /tmp/x.ti',
      },
      APP054: {
        meaning:
          'An input is read several times, but can be read only once: standard input, a pipe. A part of a run and a page need a first run that tells how long it takes.',
        example: 'cat app.ti | foretoken profile - --machine cluster.xml --from 10%',
      },
      APP055: {
        meaning: 'A page cannot be served on this port.',
        example: 'foretoken view model.ts --serve --port 80',
      },
      APP053: {
        meaning:
          'A note: the input has random parts and was run once, so its figures are one sample without intervals. `--replications` gives means with intervals.',
        example: 'foretoken predict farm.ts --machine cluster.yaml --ranks 16',
      },
      APP056: {
        meaning: 'A placement is to be suggested from one run each, and replications are requested.',
        example: 'foretoken predict farm.ts --machine cluster.yaml --suggest-placement --replications 30',
      },
      APP060: {
        meaning: 'A function does not have an option of this name.',
        example: "predict(model, { machine: 'net.yaml', rank: 4 })",
      },
      APP061: {
        meaning: 'An argument of a function has the wrong kind: not a model, a machine, an object with options.',
        example: "predict({}, { machine: 'net.yaml' })",
      },
      APP062: {
        meaning: 'An option that has one value is given twice. Options that can be repeated say so in their help.',
        example: 'foretoken steady queue.json --seed 1 --seed 2',
      },
      APP063: {
        meaning: 'Several programs run at once, and none of them has this name.',
        example: 'foretoken predict a.ti b.ti --machine cluster.yaml --start c=1',
      },
      APP064: {
        meaning: 'The start of a job is not a time from 0 to 10⁹ s.',
        example: "predict('a.ti', { machine, otherPrograms: ['b.ti'], start: { b: -1 } })",
      },
      APP065: {
        meaning: 'One of several programs at once is not a trace, or an option belongs to a single program.',
        example: 'foretoken predict a.ti model.ts --machine cluster.yaml',
      },
    },
  },
  verifyProgram: {
    title: 'Verification of programs',
    example: 'What provokes it',
    codes: {
      VER001: { meaning: 'The send protocol is unknown.', example: 'foretoken verify trace.ti --sends buffered' },
      VER002: {
        meaning: 'A limit, a number of ranks or a number of messages is invalid.',
        example: 'verifyProgram(model, { maxSteps: 0 })',
      },
      VER003: {
        meaning: 'An option of a verification does not apply to the kind of input, or to a model without properties.',
        example: 'foretoken verify net.pnml --sends eager',
      },
      VER004: {
        meaning: 'The file given as a trace is a module, or a net in XML or JSON with another extension.',
        example: "verifyProgram('model.ts')",
      },
      VER005: {
        meaning: 'The scheduler of a verification is unknown, or does not have an option.',
        example: 'foretoken verify threads.ts --scheduler fifo',
      },
      VER006: {
        meaning: 'A note: hosts or links of the machine fail, which verdicts about all orders leave out.',
        example: 'foretoken verify trace.ti --machine cluster.yaml with changes: [{ of: node1, fails: 1s }]',
      },
    },
  },
  whatif: {
    title: 'What-if studies',
    example: 'What provokes it',
    codes: {
      WHAT001: { meaning: 'An axis is not of the form NAME=VALUES.', example: '--vary placement' },
      WHAT002: { meaning: 'An axis, or one of its values, is empty.', example: '--vary placement=block,,cyclic' },
      WHAT003: { meaning: 'A range is malformed.', example: '--vary ranks=1..64/2' },
      WHAT004: {
        meaning: 'A range never ends (its step is 0, its factor 1), or points away from its end.',
        example: '--vary ranks=1..64*1',
      },
      WHAT005: {
        meaning:
          'A parameter is given twice: by an option and an axis, by two --set, by two axes of one name, or by two axes that set one quantity (the delay of a transition, or a value of a group of nodes).',
        example: '--ranks 4 --vary ranks=1,2',
      },
      WHAT006: { meaning: 'A grid has more scenarios than the limit.', example: 'three axes of 1000 values' },
      WHAT007: { meaning: 'This input does not have this axis.', example: '--vary placment=block,cyclic' },
      WHAT008: { meaning: 'An axis lists a value twice.', example: '--vary ranks=4,1..8*2' },
      WHAT009: { meaning: 'An axis does not accept this value.', example: '--vary placement=5' },
      WHAT011: {
        meaning: 'A search lacks its axis or its target, the axis is not varied, or its values cannot be ordered.',
        example: '--vary placement=block,cyclic --find ranks --target 60s',
      },
      WHAT012: {
        meaning: 'This input cannot be idealised like this.',
        example: 'foretoken whatif x.ti --machine cluster.yaml --scenario ideal-balance',
      },
      WHAT013: { meaning: 'A what-if study has nothing to vary.', example: 'foretoken whatif x.ti' },
      WHAT014: {
        meaning: 'Every scenario reads the input, but it can be read only once.',
        example: 'foretoken whatif - --vary placement=block,cyclic',
      },
      WHAT015: {
        meaning: 'A scenario ended without an answer, for example because its thread ran out of memory.',
        example: 'a trace that is too large for the memory of a thread',
      },
      WHAT016: {
        meaning: 'A number of workers or scenarios is out of range.',
        example: "whatif('x.ti', { vary: { ranks: [1, 2] }, workers: 0 })",
      },
      WHAT017: {
        meaning:
          'A worker thread cannot import the model of a study again, so the study runs in one thread. Reported if threads were requested.',
        example: 'a module that exports its model and calls whatif() itself, imported by a study',
      },
      WHAT018: {
        meaning:
          'A warning: the scenarios of a model with random parts were run once each, so the spread of the figures is unknown.',
        example: 'foretoken whatif farm.ts --ranks 16 --elasticity all',
      },
      WHAT019: {
        meaning:
          'A warning: an elasticity is unknown, because a run with 1 % more or less of the parameter has no run time.',
        example: 'foretoken whatif app.ti --machine cluster.yaml --elasticity all, for a program that deadlocks',
      },
      WHAT020: {
        meaning: 'The scaling is neither strong nor weak, or is given without an axis of ranks.',
        example: 'foretoken whatif jacobi.ts --vary model.n=1,2 --scaling weak',
      },
      WHAT021: {
        meaning: 'A note: numbers of ranks in a range on which the model does not run are skipped.',
        example: '--vary ranks=1..16 of a model with ranks: (n) => Number.isInteger(Math.sqrt(n))',
      },
      WHAT022: {
        meaning:
          'A net has no such long-run figure, a program no such figure to compare, or an option of runs is given with long-run figures.',
        example: '--vary transitions.serve.rate=1,2 --figure transitions.server.throughput',
      },
      WHAT023: {
        meaning: 'A note: long-run figures have no derivative by an axis. The message says why.',
        example: '--vary tokens.free=1,2 --figure transitions.serve.throughput',
      },
      WHAT024: {
        meaning: 'A warning: a scenario has no long-run figures, because its Markov chain exceeds a limit.',
        example: '--vary tokens.free=10,1000 --figure places.free.mean --max-states 1e4',
      },
      WHAT025: {
        meaning:
          'A warning: the run time of a scenario, or the energy by which scenarios are compared, is not known to the precision after the maximum number of runs.',
        example: '--vary ranks=2,4 --precision 0.1% --replications 20',
      },
      WHAT026: {
        meaning: 'Scenarios are compared by the energy, and that of a scenario is not known.',
        example: 'foretoken whatif app.ti --vary machine=a.yaml,b.yaml --figure energy, and b.yaml has no power',
      },
    },
  },
  testing: {
    title: 'Tests of nets',
    example: 'What provokes it',
    codes: {
      TEST001: {
        meaning: 'The argument of a matcher or an arbitrary is neither a net nor a model of a program.',
        example: 'expect(new NetBuilder("n")).toBeSafe()',
      },
      TEST002: {
        meaning: 'An unknown option of a matcher or an arbitrary, or an invalid value.',
        example: 'expect(net).toBeSafe({ maxState: 1000 })',
      },
      TEST003: {
        meaning: 'A property is a number, not true or false, or it is not a formula.',
        example: "expect(net).toReach('deadlock-free')",
      },
      TEST004: { meaning: 'Soundness is tested without a final marking.', example: 'expect(net).toBeSound()' },
      TEST005: {
        meaning: 'Weights or a marking have an unknown place or a value that is not an integer.',
        example: 'expect(net).toConserve({ bufer: 1 })',
      },
      TEST006: {
        meaning: 'There are too few replications for a quantile at the requested confidence.',
        example: 'expect(net).toFinishWithin(10, { replications: 20 })',
      },
    },
  },
} as const;
