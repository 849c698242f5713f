import { andMore } from '../../../base/listing.ts';
import { sourcePlace } from '../../../report/source-place.ts';
import { formatCount } from '../../../report/units.ts';
import type { BlockedRank, BlockedStrand } from '../../inputs/document-parts.ts';

/** Maximum number of strands of a rank that are listed. */
const MAX_STRANDS = 6;

/** The object that blocks a rank in a region of threads: `its threads and tasks`; undefined for other ranks. */
export function waitsForStrands({ strands }: BlockedRank): string | undefined {
  return strands === undefined ? undefined : 'its threads and tasks';
}

/** The threads and tasks of a rank that wait forever, one line each. */
export function blockedStrandTexts({ strands = [] }: BlockedRank): string[] {
  const texts = strands.slice(0, MAX_STRANDS).map(textOf);
  const left = strands.length - MAX_STRANDS;
  return left > 0 ? [...texts, `${andMore(left, '', formatCount)}, --json lists all`] : texts;
}

function textOf({ strand, operation, file, line, heldBy }: BlockedStrand): string {
  const at = sourcePlace(file, line);
  const holder = heldBy === undefined ? '' : heldBy === strand ? ', which it holds itself' : `, held by ${heldBy}`;
  return `${strand}: ${operation}${at === '' ? '' : `, ${at}`}${holder}`;
}
