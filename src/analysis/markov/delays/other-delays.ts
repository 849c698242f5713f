import { fail, InputError, type Problem } from '../../../base/problem.ts';
import type { Delay, Net, Transition } from '../../../net/net.ts';
import { clocksOf } from '../../../net/race-timing.ts';
import { isPhaseType } from './phase-type.ts';

/** A delay that is not exponential. */
interface OtherDelay {
  /** `transition work` or `place queue`. */
  readonly part: string;
  /** In words: `a deterministic delay`. */
  readonly kind: string;
}

/** All delays and services of a net that are neither exponential nor absent, in the order of the net, transitions first. */
export function otherDelays({ places, transitions }: Net): OtherDelay[] {
  const found: OtherDelay[] = [];
  const add = (part: string, kind: string | undefined): void => {
    if (kind !== undefined) found.push({ part, kind });
  };
  for (const { name, delay } of transitions) add(`transition ${name}`, kindOf(delay));
  for (const { name, service } of places)
    if (service !== undefined)
      add(`place ${name}`, service.kind === 'max-min' ? 'a max-min service' : kindOf(service.time));
  return found;
}

/** The kind of a delay that is not exponential, for messages. */
function kindOf(delay: Delay | undefined): string | undefined {
  if (delay === undefined || ('dist' in delay && delay.dist === 'exponential')) return undefined;
  if (!('dist' in delay)) return 'a deterministic delay';
  return `a delay with the distribution "${delay.dist}"`;
}

const DELAYS =
  'exponential, Erlang, hyper-exponential and Coxian delays only. Give it one of these, approximate a deterministic one with foretoken steady --erlang';
const SERVICES = 'exponential service times only. Give it one, or write the service as a transition';
const SIMULATE = 'or estimate the figures by simulation: foretoken steady --method simulate';

/** @throws InputError CTMC001 with all transitions and places whose delays the Markov chain cannot have */
export function assertSolvable(net: Net): void {
  if (net.untimed === true)
    fail('CTMC001', 'the net has no delays: give its transitions exponential delays to solve for a steady state');
  const solved = new Set(net.transitions.filter((t) => isPhaseType(t.delay)).map(({ name }) => `transition ${name}`));
  const problems = [
    ...otherDelays(net)
      .filter(({ part }) => !solved.has(part))
      .map(({ part, kind }): Problem => {
        const why = part.startsWith('place ') ? SERVICES : DELAYS;
        return { code: 'CTMC001', message: `has ${kind}: the solver takes ${why}, ${SIMULATE}`, place: { part } };
      }),
    ...net.transitions.filter(isWithoutOrder).map(
      ({ name }): Problem => ({
        code: 'CTMC001',
        message: `has age memory, a delay with phases, and several servers: the order in which its clocks resume is not solved for. Give it servers "single", ${SIMULATE}`,
        place: { part: `transition ${name}` },
      }),
    ),
  ];
  if (problems.length > 0) throw new InputError(problems);
}

/** Stopped clocks of one candidate resume in an order that depends on markings without time. */
function isWithoutOrder(t: Transition): boolean {
  return isPhaseType(t.delay) && t.timing === 'race' && t.memory === 'age' && clocksOf(t) > 1;
}
