import { didYouMean, quote } from '../../base/problem.ts';

const GRAMMAR = 'http://www.pnml.org/version-2009/grammar/';
export const PTNET: string = `${GRAMMAR}ptnet`;
export const SYMMETRICNET: string = `${GRAMMAR}symmetricnet`;

/** The net types of ISO/IEC 15909-2, and whether their nets are coloured. */
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

/** What editors of before the standard call a place/transition net. */
const OLDER = /^(p\/?t[ -]?net|(.*\/)?pt-?net[bd]?(\.pntd)?|.*yasper.*\/pnml\.net)$/i;

/** Whether the nets of a type are coloured, or why the type is refused. */
export function netKind(
  type: string,
): { readonly coloured: boolean; readonly warning?: string } | { readonly wrong: string } {
  if (Object.hasOwn(TYPES, type)) return { coloured: TYPES[type]! };
  if (OLDER.test(type))
    return {
      coloured: false,
      warning: `the net type ${quote(type)} is not one of the standard: read as a place/transition net`,
    };
  return { wrong: `the net type ${quote(type, 100)} is not supported.${didYouMean(type, Object.keys(TYPES))}` };
}
