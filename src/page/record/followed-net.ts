import { TokenHistory } from '../../analysis/game/token-history.ts';
import { formatProblem, InputError } from '../../base/problem.ts';
import { netFromJson } from '../../net/json/json.ts';
import type { Net } from '../../net/net.ts';
import type { Content } from '../content.ts';

/** The net of a page, and the changes of its marking along the run that the page shows. */
export interface FollowedNet {
  readonly net?: Net;
  readonly history?: TokenHistory;
  /** Why the net cannot be read. */
  readonly why?: string;
  /** Why there is no history, although the page has one. */
  readonly missing?: string;
}

const read = new WeakMap<object, FollowedNet>();

/** The net of a page; it is read once. O(size of the net + changes of the marking). */
export function followedNet(given: NonNullable<Content['net']>): FollowedNet {
  const known = read.get(given);
  if (known !== undefined) return known;
  const found = followed(given);
  read.set(given, found);
  return found;
}

function followed({ net: text, marking }: NonNullable<Content['net']>): FollowedNet {
  let net: Net;
  try {
    net = netFromJson(JSON.stringify(text), 'net');
  } catch (error) {
    return { why: messageOf(error) };
  }
  if (marking === undefined) return { net };
  try {
    return { net, history: new TokenHistory(net, marking) };
  } catch (error) {
    return { net, missing: `The marking of the run cannot be read: ${messageOf(error)}` };
  }
}

/** An error as the page shows it: problems with their codes and places. */
export const messageOf = (error: unknown): string =>
  error instanceof InputError ? error.problems.map(formatProblem).join(' ') : (error as Error).message;
