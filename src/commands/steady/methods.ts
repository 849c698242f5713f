import type { Code } from '../../base/codes.ts';
import { InputError, type Problem } from '../../base/problem.ts';
import { byAll } from './by-all.ts';
import { byBounds, hasCycleTime } from './by-bounds.ts';
import { byErlang } from './by-erlang.ts';
import { byChain } from './chain/by-chain.ts';
import { byGrowingCapacity } from './chain/by-growing-capacity.ts';
import { bySimulation } from './simulated/by-simulation.ts';
import type { Question, SteadyMethod } from './steady-options.ts';
import type { SteadyFindings } from './steady-result.ts';

/** Figures, and why they were found by their method. */
type Answered = SteadyFindings & { readonly reason: string };

/** The methods: a row each. */
const METHODS: Readonly<Record<SteadyMethod, (question: Question) => Answered>> = {
  auto: chosen,
  ctmc: (question) => ({ ...solved(question), reason: ASKED }),
  simulate: (question) => ({ ...bySimulation(question), reason: ASKED }),
  bounds: (question) => ({ ...byBounds(question), reason: ASKED }),
  all: (question) => ({ ...byAll(question), reason: ASKED }),
};

const ASKED = 'it was asked for';

/** Answers by the method of the options. */
export function answered(question: Question): Answered {
  return METHODS[question.options.method ?? 'auto'](question);
}

/** Figures of the chain; with the option `erlang`, of the net with approximate delays. */
function solved(question: Question, by = byChain): SteadyFindings {
  const { erlang } = question.options;
  return erlang === undefined ? by(question) : byErlang(question, erlang);
}

/** Refusals of the chain for which a simulation answers. */
const SIMULATED: readonly Code[] = ['CTMC001', 'CTMC002', 'CTMC004'];
const FINITE = 'delays are exponential, made of such phases, or absent, and the chain is finite';
const CUT = 'delays are exponential, made of such phases, or absent, and a capacity was given';
const CUT_ALONE =
  'delays are exponential, made of such phases, or absent, and a capacity was found at which all intervals are narrow';
/** Default maximum number of states: a larger chain takes longer than most simulations. */
const MAX_STATES = 5e6;

/** The chain if it can be solved within the limits; else a simulation. */
function chosen(question: Question): Answered {
  const { options } = question;
  // Options that a simulation does not support.
  const { at, absorption, reach, erlang, capacity, precision, replications } = options;
  const onlyChain = [at, absorption || undefined, reach, erlang, capacity].some((option) => option !== undefined);
  try {
    const limited = onlyChain ? question : { ...question, options: { maxStates: MAX_STATES, ...options } };
    // These options ask for estimates of a net with infinitely many states.
    const isEstimated = precision !== undefined || replications !== undefined;
    const found = solved(limited, onlyChain || isEstimated ? byChain : byGrowingCapacity);
    if (found.places.length > 0 || found.truncation === 'interrupted' || onlyChain)
      return { ...found, reason: found.open === undefined ? FINITE : capacity === undefined ? CUT_ALONE : CUT };
    const limit = found.truncation === 'states' ? 'the limit of states' : `the limit of ${found.truncation}`;
    return { ...bySimulation(question), reason: `the Markov chain exceeds ${limit}` };
  } catch (error) {
    if (!(error instanceof InputError) || onlyChain) throw error;
    const [problem] = error.problems;
    if (problem === undefined || !SIMULATED.includes(problem.code)) throw error;
    if (question.rewards.length === 0 && !question.isRestarted && hasCycleTime(question.net))
      return {
        ...byBounds(question),
        reason: 'delays are constant and nothing is decided, so that throughputs are exact',
      };
    return { ...bySimulation(question), reason: `no finite Markov chain: ${withoutAdvice(problem)}` };
  }
}

/** A refusal without its advice, which is about another command. */
function withoutAdvice({ message, place }: Problem): string {
  const [first] = message.split(/\.(?: |$)/);
  return place?.part === undefined ? first! : `${place.part}: ${first}`;
}
