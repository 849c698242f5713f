import { fail } from '../../base/problem.ts';
import { withConditions } from '../conditions.ts';
import { delayFault, isDistribution, parametersOf } from '../distribution.ts';
import { type Expression, expressionText } from '../expression.ts';
import { refuseInFunction } from '../functions/ambient.ts';
import type { Delay } from '../net.ts';
import { foreignPart } from '../term.ts';

/** Rules for the block of a transition and for the callbacks of a place; `owner` represents the transition or place. */
export class Block {
  readonly part: string;
  readonly owner: object = {};
  /** Identity of the net. */
  readonly net: object;
  readonly #owned: Expression[] = [];
  #closed = false;

  constructor(part: string, net: object) {
    this.part = part;
    this.net = net;
  }

  /**
   * Rejects calls outside the block, or from a function that is being evaluated.
   *
   * @throws InputError NET005, NET048
   */
  assertOpen(): void {
    refuseInFunction('NET048', `uses the builder of ${this.part}`);
    if (this.#closed) fail('NET005', `used after its block has ended`, { part: this.part });
  }

  /**
   * Checks that the variables belong to this block and the tables and values to this net (another net may use the same
   * names); returns the expression.
   *
   * @throws InputError NET046, NET047
   */
  own(e: Expression): Expression {
    const foreign = foreignPart(e, this.owner, this.net);
    if (foreign?.op === 'var')
      fail(
        'NET047',
        `variable "${foreign.name}" belongs to another transition or place: a term is valid only in its own block`,
        {
          part: this.part,
        },
      );
    if (foreign?.op === 'at' || foreign?.op === 'step')
      fail('NET046', `table "${foreign.table}" belongs to another net`, { part: this.part });
    if (foreign?.op === 'const')
      fail('NET046', `a value of enumeration ${foreign.colour} belongs to another net`, { part: this.part });
    this.#owned.push(e);
    return e;
  }

  /**
   * As {@link own}, for all expressions of a delay.
   *
   * @param name of the delay, for messages
   * @throws InputError also NET040 for a delay that has no form
   */
  ownDelay(delay: Delay, name = 'delay'): Delay {
    const fault = delayFault(delay);
    if (fault !== undefined) fail('NET040', `${name}: ${fault}`, { part: this.part });
    for (const e of isDistribution(delay) ? parametersOf(delay) : [delay]) this.own(e);
    return delay;
  }

  /**
   * Runs the block's callback.
   *
   * @throws InputError NET078 if a condition is created and not used
   */
  run<T>(build: () => T): T {
    const { answer, lost } = withConditions(build, this.#owned);
    if (lost !== undefined)
      fail(
        'NET078',
        `creates the condition ${expressionText(lost)} but does not use it. In JavaScript's own !, &&, ?: and if, every term is true: use not, and, when, or a condition as the count of an output`,
        { part: this.part },
      );
    return answer;
  }

  /**
   * Ends the block; `returned` is the callback's result.
   *
   * @throws InputError NET042 for a promise: its later calls would be lost
   */
  close<T>(returned: T): T {
    this.#closed = true;
    if (
      typeof returned === 'object' &&
      returned !== null &&
      'then' in returned &&
      typeof returned.then === 'function'
    ) {
      returned.then(undefined, () => undefined);
      fail('NET042', 'its block returns a promise: it must be synchronous', { part: this.part });
    }
    return returned;
  }
}
