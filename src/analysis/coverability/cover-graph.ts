import type { Relation } from '../properties/property.ts';
import type { Condition } from '../reduction/condition.ts';
import type { PetriMoves, Tokens } from '../reduction/petri-moves.ts';
import { MANY } from './karp-miller.ts';

/**
 * True if the condition may hold in a marking that a node of a coverability graph represents. Such a marking has the
 * node's tokens in places with a finite count, and any number elsewhere. A condition that holds for no node holds in no
 * reachable marking; the converse is false. O(size of the condition); `dead` and `alive` add O(net).
 *
 * The graph must join equal nodes only (`equalOnly` of `karpMiller`): then each reachable marking has a node with the
 * same finite counts, by induction along its firing sequence.
 */
export function mayHold(c: Condition, node: Tokens, moves: PetriMoves): boolean {
  switch (c.op) {
    case 'true':
      return true;
    case 'false':
      return false;
    // A transition that needs tokens of finite places only is enabled in each of the markings.
    case 'dead':
      return !someEnabled(least(node), moves);
    case 'alive':
      return someEnabled(node, moves);
    case 'sum': {
      let [low, high] = [0, 0];
      for (const [p, n] of c.sum) {
        const many = node[p] === MANY;
        low += many ? (n > 0 ? 0 : Number.NEGATIVE_INFINITY) : n * node[p]!;
        high += many ? (n > 0 ? Number.POSITIVE_INFINITY : 0) : n * node[p]!;
      }
      return mayRelate(low, high, c.relation, c.than);
    }
    case 'and':
      return c.of.every((part) => mayHold(part, node, moves));
    case 'or':
      return c.of.some((part) => mayHold(part, node, moves));
  }
}

/** The smallest marking that a node represents. */
function least(node: Tokens): Tokens {
  return node.map((n) => (n === MANY ? 0 : n));
}

function someEnabled(marking: Tokens, moves: PetriMoves): boolean {
  for (let t = 0; t < moves.transitions; t++) if (moves.enabled(t, marking)) return true;
  return false;
}

/** True if a number from `low` to `high` has the relation to `than`. */
function mayRelate(low: number, high: number, relation: Relation, than: number): boolean {
  switch (relation) {
    case '<':
      return low < than;
    case '<=':
      return low <= than;
    case '>':
      return high > than;
    case '>=':
      return high >= than;
    case '=':
      return low <= than && than <= high;
    case '!=':
      return !(low === than && high === than);
  }
}
