import { fail } from '../../base/problem.ts';
import { withConditions } from '../conditions.ts';
import { isDistribution, parametersOf } from '../distribution.ts';
import { type Expression, expressionText } from '../expression.ts';
import { refuseInFunction } from '../functions/evaluation.ts';
import type { Delay } from '../net.ts';
import { foreignPart } from '../term.ts';

/** What holds for the block of a transition, and for the callbacks of a place: `owner` stands for either. */
export class Block {
  readonly part: string;
  readonly owner: object = {};
  /** Stands for the net. */
  readonly net: object;
  readonly #owned: Expression[] = [];
  #closed = false;

  constructor(part: string, net: object) {
    this.part = part;
    this.net = net;
  }

  /**
   * Refuses what is said outside the block, or by a function that is being evaluated.
   *
   * @throws InputError NET005, NET048
   */
  assertOpen(): void {
    refuseInFunction('NET048', `uses the builder of ${this.part}`);
    if (this.#closed) fail('NET005', `used after its block has ended`, { part: this.part });
  }

  /**
   * The same expression: its variables are the block's own, its tables and values those of the net. Under the same name
   * another one could have its own.
   *
   * @throws InputError NET046, NET047
   */
  own(e: Expression): Expression {
    const foreign = foreignPart(e, this.owner, this.net);
    if (foreign?.op === 'var')
      fail(
        'NET047',
        `variable "${foreign.name}" belongs to another transition or place: a term holds in its own block only`,
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

  /** As {@link own}, of all that a delay depends on. */
  ownDelay(delay: Delay): Delay {
    for (const e of isDistribution(delay) ? parametersOf(delay) : [delay]) this.own(e);
    return delay;
  }

  /**
   * All that the block says.
   *
   * @throws InputError NET078 where a condition is no part of it
   */
  saying<T>(say: () => T): T {
    const { answer, lost } = withConditions(say, this.#owned);
    if (lost !== undefined)
      fail(
        'NET078',
        `makes the condition ${expressionText(lost)} and does not use it. JavaScript's own !, &&, ?: and if take every term for true: write not, and, when, or a condition as the count of an output`,
        { part: this.part },
      );
    return answer;
  }

  /**
   * Ends the block with what it has returned.
   *
   * @throws InputError NET042 for a promise: what it would still say would be lost
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
      fail('NET042', 'its block returns a promise: it must have said all when it returns', { part: this.part });
    }
    return returned;
  }
}
