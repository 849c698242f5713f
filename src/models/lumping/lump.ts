import type { Recorded } from '../program/record/recorder.ts';
import { executeRanks, type OrderSetting } from '../program/schedule/fixed-order.ts';
import { refined } from './partition.ts';
import { partnersOf } from './partners.ts';
import { type ProvenClasses, prove } from './proof.ts';
import { RankRows, refuse } from './rank-rows.ts';
import type { LumpedNetwork } from './routes.ts';
import { Shapes } from './shapes.ts';

/** Maximum number of executed statements of all ranks. */
const MAX_EXECUTED = 2 ** 40;
/** The classes are at most this share of the ranks: more are hardly faster than the full run. */
const MOST_CLASSES = 1 / 2;

/**
 * Classes of ranks that behave alike, found by colour refinement and proven rank by rank.
 *
 * @throws NotLumped with the reason, InputError for arguments that a rank cannot have
 * @complexity linear in executed statements, and in messages for each pass of the refinement; a few words per rank of memory
 */
export function lumped(programs: readonly Recorded[], network: LumpedNetwork, setting: OrderSetting): ProvenClasses {
  const ranks = programs.reduce((sum, { size }) => sum + size, 0);
  const shapes = new Shapes(ranks);
  const rows = new RankRows();
  executeRanks(programs, { ...setting, writer: rows, most: MAX_EXECUTED }, (rank, run) => {
    rows.begin();
    run();
    shapes.add(rank, rows);
  });
  rows.calls.finish();
  const most = ranks * MOST_CLASSES;
  if (shapes.all.length > most) refuse(`${shapes.all.length} of ${ranks} ranks have different operations`);
  const partners = partnersOf(shapes);
  const partition = refined(shapes, partners, network, most);
  if (partition === undefined) return refuse(`more than ${Math.floor(most)} of ${ranks} ranks differ`);
  return prove(shapes, partners, network, partition);
}
