import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { FinalMarkings } from '../../analysis/space/degrees.ts';
import { checkStates, graphContent } from '../../analysis/space/drawing/graph-content.ts';
import { graphDot } from '../../analysis/space/drawing/graph-dot.ts';
import { graphHtml } from '../../analysis/space/drawing/graph-html.ts';
import { graphSvg } from '../../analysis/space/drawing/graph-svg.ts';
import type { Findings } from '../../analysis/space/findings.ts';
import type { StateSpace } from '../../analysis/space/state-space.ts';
import { didYouMean, fail, quote } from '../../base/problem.ts';
import type { LayoutEngine } from '../../net/drawing/svg-layout.ts';
import { checkOutput, writeWhole } from '../output.ts';

/** Maximum number of states of a drawing: larger ones take seconds to lay out. Graphviz is faster. */
const LIMITS: Readonly<Record<string, number>> = { '.svg': 300, '.html': 300, '.dot': 20_000 };

/**
 * Rejects unsuitable graph files before the space is explored.
 *
 * @throws InputError EXPL004 unknown ending, APP007 would overwrite an input
 */
export function checkGraph(path: string | undefined, inputs: readonly (string | undefined)[]): void {
  if (path === undefined) return;
  const ending = extname(path);
  if (!Object.hasOwn(LIMITS, ending))
    fail('EXPL004', `unknown graph extension ${quote(ending)}.${didYouMean(ending, Object.keys(LIMITS))}`, {
      file: path,
    });
  checkOutput(path, inputs);
}

/**
 * Rejects a space that already has too many states to be drawn.
 *
 * @throws InputError EXPL003
 */
export function checkRoom(path: string | undefined, space: StateSpace): void {
  if (path !== undefined) checkStates(space, LIMITS[extname(path)]!);
}

/**
 * Writes the graph of a space in the format given by the ending.
 *
 * @throws InputError EXPL003 (too large), APP006
 */
export function writeGraph(path: string, space: StateSpace, found: Findings, final: FinalMarkings | undefined): void {
  const ending = extname(path);
  const content = graphContent(space, found.components, final, LIMITS[ending]!);
  if (ending === '.dot') {
    writeWhole(path, graphDot(content));
    return;
  }
  const engine = createRequire(import.meta.url)('@dagrejs/dagre') as LayoutEngine;
  const facts = Object.entries(found.verdicts).map(
    ([name, { value }]) => [name, value === null ? 'unknown' : value ? 'yes' : 'no'] as const,
  );
  writeWhole(path, ending === '.svg' ? graphSvg(content, engine) : graphHtml(content, facts, engine));
}
