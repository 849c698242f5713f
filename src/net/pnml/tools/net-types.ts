import { didYouMean, quote } from '../../../base/problem.ts';

const GRAMMAR = 'http://www.pnml.org/version-2009/grammar/';
export const PTNET: string = `${GRAMMAR}ptnet`;
export const SYMMETRICNET: string = `${GRAMMAR}symmetricnet`;

/** Net types of ISO/IEC 15909-2; true: coloured. */
const TYPES: Readonly<Record<string, boolean>> = {
  [PTNET]: false,
  [`${GRAMMAR}pnmlcoremodel`]: false,
  [SYMMETRICNET]: true,
  [`${GRAMMAR}pt-hlpng`]: true,
  [`${GRAMMAR}highlevelnet`]: true,
  // P/T nets with special arcs (J. M. van der Werf, pnml.org/version-2009/extensions).
  'http://www.pnml.org/version-2009/extensions/inhibitorptnet': false,
  'http://www.pnml.org/version-2009/extensions/resetptnet': false,
  'http://www.pnml.org/version-2009/extensions/resetinhibitorptnet': false,
};

/** Names of place/transition nets in editors older than the standard. */
const OLDER =
  /^(p\/?t[ -]?net|(.*\/)?(pt-?net[bd]?|pnmlcoremodel)(\.pntd)?|.*yasper.*\/(pnml\.net|epnml[-.\d]*)|(.*\/)?epnml[-.\d]*)$/i;

/** For a net type: `coloured` is true for coloured nets, false for place/transition nets; `wrong` is the reason for rejecting the type. */
export function netKind(
  type: string,
): { readonly coloured: boolean; readonly warning?: string } | { readonly wrong: string } {
  if (Object.hasOwn(TYPES, type)) return { coloured: TYPES[type]! };
  if (OLDER.test(type))
    return {
      coloured: false,
      warning: `the net type ${quote(type)} is not in the standard: it is read as a place/transition net`,
    };
  return { wrong: `the net type ${quote(type, 100)} is not supported.${didYouMean(type, Object.keys(TYPES))}` };
}
