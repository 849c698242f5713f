import { spelledOut } from '../../../base/spelled-out.ts';
import type { DrawnState, GraphContent } from './graph-content.ts';
import { TINTS } from './graph-style.ts';

/** The graph of a state space for Graphviz: states as in {@link graphSvg}, with the whole marking as tooltip. */
export function graphDot({ title, states, edges }: GraphContent): string {
  return [
    `digraph ${quoted([title])} {`,
    '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica", fontsize=10];',
    '  edge [fontname="Helvetica", fontsize=9];',
    ...states.map((s) => `  s${s.state} [label=${quoted(s.lines)}, tooltip=${quoted(s.about)}${look(s)}];`),
    ...edges.map(({ from, to, lines }) => `  s${from} -> s${to} [label=${quoted(lines)}];`),
    '}',
    '',
  ].join('\n');
}

function look({ initial, dead, final, bottom, component }: DrawnState): string {
  const tint = component === undefined ? '' : `, fillcolor="${TINTS[component % TINTS.length]![0]}"`;
  return [
    dead ? (final ? ', peripheries=2' : ', color="#c81e1e", fillcolor="#fde8e8"') : tint,
    initial ? ', penwidth=2.6' : '',
    bottom && !dead ? ', style="rounded,filled,dashed"' : '',
  ].join('');
}

/** Lines as one quoted DOT string. */
function quoted(lines: readonly string[]): string {
  const text = lines.map((line) =>
    spelledOut(line.replace(/[\r\n]/g, ' '))
      .replaceAll('\\', '\\\\')
      .replaceAll('"', '\\"')
      .replaceAll('&', '&amp;'),
  );
  return `"${text.join('\\n')}"`;
}
