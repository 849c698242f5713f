import type { LayoutEngine } from '../../../net/drawing/svg-layout.ts';
import { escaped } from '../../../net/drawing/svg-text.ts';
import type { GraphContent } from './graph-content.ts';
import { graphSvg } from './graph-svg.ts';

/**
 * The graph of a small state space as a self-contained HTML page: the drawing, facts, and the whole marking of the state under
 * the mouse pointer.
 *
 * @param facts (name, value) pairs shown below the title
 */
export function graphHtml(
  content: GraphContent,
  facts: readonly (readonly [string, string])[],
  engine: LayoutEngine,
): string {
  const title = escaped(content.title);
  const rows = facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<dl>${rows.join('')}</dl>
<p>Heavy frame: initial. Red: dead. Dashed: no edge leaves the component. One colour: one component of several states.</p>
<div class="drawing">
${graphSvg(content, engine)}</div>
<aside hidden></aside>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

const PAGE_STYLE = [
  'body{font:14px Helvetica,Arial,"Liberation Sans",sans-serif;margin:1.5em;color:#1f2933;background:#fff}',
  'h1{font-size:1.2em}dl{display:flex;flex-wrap:wrap;gap:.2em 1.5em;margin:0 0 .6em}',
  'dt,dd{display:inline;margin:0}dt{color:#52606d}dt::after{content:" "}dd{margin-right:1em}',
  'dl>dd+dt{margin:0}p{color:#52606d;margin:.4em 0 1em}',
  '.drawing{overflow:auto}',
  'aside{position:fixed;right:1em;bottom:1em;max-width:28em;max-height:60vh;overflow:auto;padding:.8em 1em;',
  'background:#fff;border:1px solid #cbd2d9;border-radius:8px;box-shadow:0 2px 12px #0003;white-space:pre-line}',
  '@media (prefers-color-scheme:dark){body,aside{color:#e4e7eb;background:#161b22}aside{border-color:#3e4c59}dt,p{color:#9aa5b1}}',
].join('');

/** Shows the details of a state while the mouse pointer is over it. */
const SCRIPT = `
const panel = document.querySelector('aside');
for (const state of document.querySelectorAll('.state')) {
  state.querySelector('title').remove();
  state.addEventListener('mouseenter', () => {
    panel.textContent = state.dataset.about.split(' | ').join('\\n');
    panel.hidden = false;
  });
  state.addEventListener('mouseleave', () => { panel.hidden = true; });
}
`;
