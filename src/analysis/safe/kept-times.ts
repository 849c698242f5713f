import { fail } from '../../base/problem.ts';
import { isDistribution } from '../../net/distribution.ts';
import { evaluator, type Surroundings, surroundingsOf } from '../../net/evaluate.ts';
import type { Expression } from '../../net/expression.ts';
import { scalarNet } from '../../net/expressions.ts';
import type { Delay, Net, Transition } from '../../net/net.ts';
import { clocksOf, countsIn } from '../../net/race-timing.ts';
import { constant, withConstants } from '../../net/unfold/unfold-place.ts';
import { isUntimed } from '../../net/untimed.ts';
import type { Petri, PetriTransition } from '../petri/petri.ts';

/** True if runs of the net take time. The delays that a run assumes for an untimed net do not count. */
export function takesTime(net: Net): boolean {
  if (isUntimed(net)) return false;
  return net.transitions.some((t) => t.delay !== undefined) || net.places.some((p) => p.service !== undefined);
}

/** The timing of the transitions of a safe net: members to add to a transition. */
type Timing = Pick<Transition, 'delay' | 'timing' | 'servers' | 'weight' | 'priority'>;

/**
 * The delays, weights and priorities of a net's transitions in each binding, for its safe net.
 *
 * A firing that holds its tokens gets a place `ready` and a place `done` for each firing that can be in progress at once,
 * and a transition with its delay between them. Its end has precedence over every start, as a completion has (S10). A race
 * becomes one race for each combination of token counts. A change of the counts restarts its clock, which is exact if
 * there is one combination or the delay is exponential: the rate is then multiplied by the degree (S9a).
 */
export class KeptTimes {
  readonly #flat: Net;
  readonly #around: Surroundings;
  /** Priority of the ends of firings, above all others. */
  readonly end: number;

  constructor({ net }: Petri) {
    this.#flat = scalarNet(net);
    this.#around = surroundingsOf(this.#flat);
    this.end = Math.max(0, ...net.transitions.map((t) => t.priority ?? 0)) + 1;
  }

  /** Priority and weight of an immediate firing, or of the start of a holding one. */
  start(t: PetriTransition): Timing {
    const { name, priority, weight } = this.#transition(t);
    if (countsIn(this.#transition(t), weight).length > 0)
      fail('SAFE004', 'has a weight that depends on the marking, which a safe net does not keep', {
        part: `transition ${name}`,
      });
    return {
      ...(priority === undefined ? {} : { priority }),
      ...(weight === undefined ? {} : { weight: constant(this.#value(weight, t)) }),
    };
  }

  /** The delay of a holding firing. */
  delay(t: PetriTransition): Delay {
    return this.#delay(this.#transition(t).delay!, t);
  }

  /**
   * The timing of a race.
   *
   * @param combinations number of races that it becomes
   * @param degree number of clocks that run at once in this combination
   * @throws InputError SAFE004 if its clock would not survive a change of token counts
   */
  race(t: PetriTransition, combinations: number, degree: number): Timing {
    const { name, delay, servers, inputs, memory = 'enabling', speed } = this.#transition(t);
    const clocks = clocksOf(this.#transition(t));
    const part = `transition ${name}`;
    if (speed !== undefined || memory !== 'enabling' || (clocks > 1 && Number.isFinite(clocks)))
      fail(
        'SAFE004',
        `is a race with ${speed !== undefined ? 'a speed' : memory !== 'enabling' ? `the memory "${memory}"` : `${clocks} servers`}, which a safe net does not keep`,
        { part },
      );
    const timing = { ...this.start(t), timing: 'race' as const };
    if (combinations === 1 && (degree === 1 || clocks === 1))
      return { ...timing, delay: this.#delay(delay!, t), ...(servers === undefined ? {} : { servers }) };
    if (!isDistribution(delay!) || delay.dist !== 'exponential')
      fail(
        'SAFE004',
        'is a race between places of several tokens, and its delay is not exponential: a change of their tokens would restart its clock in a safe net',
        { part },
      );
    if (clocks !== 1 && inputs.some((a) => a.kind === 'read'))
      fail('SAFE004', 'is a race of several servers with a read arc: its rate in a safe net is not known', { part });
    const rate = this.#value(delay.rate, t) * (clocks === 1 ? 1 : degree);
    return { ...timing, delay: { dist: 'exponential', rate: constant(rate) } };
  }

  #transition({ node }: PetriTransition): Transition {
    return this.#flat.transitions[node]!;
  }

  #delay(delay: Delay, t: PetriTransition): Delay {
    return isDistribution(delay) ? withConstants(delay, (e) => this.#value(e, t)) : constant(this.#value(delay, t));
  }

  #value(e: Expression, { binding }: PetriTransition): number {
    const names = Object.keys(binding);
    return evaluator(e, new Map(names.map((name, k) => [name, k])), this.#around)(Object.values(binding));
  }
}

/**
 * Refuses services: their tokens wait for servers or share them, which no safe net of the places expresses.
 *
 * @throws InputError SAFE004 with the name of the place
 */
export function refuseServices({ net }: Petri, because?: string): void {
  const served = net.places.find((p) => p.service !== undefined);
  if (served !== undefined)
    fail(
      'SAFE004',
      `has a service (${served.service!.kind}) in a net that becomes one without colours${because === undefined ? '' : `, because ${because}`}: a safe net cannot keep its times. Use delays of transitions${because === undefined ? '' : ', or let no place hold equal tokens'}`,
      { part: `place ${served.name}` },
    );
}
