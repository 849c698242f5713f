/** Component fill colours: light theme, dark theme. */
export const TINTS: readonly (readonly [string, string])[] = [
  ['#e1effb', '#1b3350'],
  ['#e3f4e5', '#1f3a26'],
  ['#fdf1d6', '#43361a'],
  ['#f0e7fa', '#382a4d'],
  ['#fbe7ef', '#4a2334'],
  ['#dff3f2', '#173c3b'],
];

interface Palette {
  readonly ink: string;
  readonly paper: string;
  readonly soft: string;
  readonly alarm: string;
  readonly dead: string;
}

function rules({ ink, paper, soft, alarm, dead }: Palette, tint: 0 | 1): string {
  return [
    `.state-graph .paper,.state-graph .plate{fill:${paper}}`,
    `.state-graph .state rect{fill:${paper};stroke:${ink};stroke-width:1.1}`,
    ...TINTS.map((pair, k) => `.state-graph .tint${k} rect{fill:${pair[tint]}}`),
    `.state-graph .edge path{stroke:${soft}}.state-graph .edge polygon,.state-graph .state circle{fill:${soft}}`,
    `.state-graph text{fill:${ink}}.state-graph .detail,.state-graph .step{fill:${soft}}`,
    `.state-graph .dead rect{fill:${dead};stroke:${alarm};stroke-width:2}.state-graph .dead .number{fill:${alarm}}`,
  ].join('');
}

/** CSS rules of a drawing, all scoped to `.state-graph` so that the surrounding page is unaffected. */
export const GRAPH_STYLE: string = [
  rules({ ink: '#1f2933', paper: '#ffffff', soft: '#52606d', alarm: '#c81e1e', dead: '#fde8e8' }, 0),
  '.state-graph .initial rect{stroke-width:2.6}.state-graph .bottom rect{stroke-dasharray:5 3}',
  '.state-graph text{font-family:Helvetica,Arial,"Liberation Sans",sans-serif;text-anchor:middle;stroke:none}',
  '.state-graph .number{font-size:12px;font-weight:bold}.state-graph .detail,.state-graph .step{font-size:10px}',
  '.state-graph .edge path{fill:none;stroke-width:1.1}',
  `@media (prefers-color-scheme:dark){${rules(
    { ink: '#e4e7eb', paper: '#161b22', soft: '#9aa5b1', alarm: '#f98080', dead: '#3b1d1d' },
    1,
  )}}`,
].join('');
