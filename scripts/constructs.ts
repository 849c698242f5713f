import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { modelNet } from '../src/app/predict/predict-model.ts';
import * as models from '../src/models.ts';
import { drawNet } from '../src/net/drawing/svg.ts';
import { CHAPTERS, type Construct } from './constructs/list.ts';

/*
 * Writes docs/models.md and the drawings in docs/models: every construct with the net that it stands for.
 * npx tsx scripts/constructs.ts
 */

const machine = models.cluster({
  nodes: 4,
  coresPerNode: 1,
  speed: '1Gf',
  memory: '8GB/s',
  storage: { latency: '1ms', bandwidth: '1GB/s' },
  link: { latency: '5us', bandwidth: '1GB/s' },
  eagerBelow: 1000,
  detachedBelow: 65536,
});

/** The model of a construct: its snippet is run as it stands on the page. */
function modelOf({ id, snippet, vars = '', draws }: Construct): models.ProgramModel {
  if (draws !== undefined) return wholeFile(snippet);
  const make = new Function(
    'models',
    `const { spmd, ANY, counter, range, rankVar, oneOf, flag } = models;
return spmd({ name: ${JSON.stringify(id)}, vars: { ${vars} }, build(m) {
${snippet}
} });`,
  ) as (of: typeof models) => models.ProgramModel;
  return make(models);
}

/** The model that a file exports. */
function wholeFile(text: string): models.ProgramModel {
  const body = text
    .replace(/^import \{(.*)\} from 'foretoken\/models';/, 'const {$1} = models;')
    .replace(/^export default /m, 'return ');
  const make = new Function('models', body) as (of: typeof models) => models.ProgramModel;
  return make(models);
}

/** The drawing of a construct's net. */
export function drawing(construct: Construct): string {
  const { modules } = modelNet(modelOf(construct), { machine, ranks: construct.ranks ?? 2 }).program;
  const net = modules.find((m) => m.name === (construct.draws ?? construct.module ?? construct.id))!;
  return drawNet(net, createRequire(import.meta.url)('@dagrejs/dagre') as never);
}

/** All drawings by the names of their files. */
export function drawings(): Map<string, string> {
  return new Map(CHAPTERS.flatMap((c) => c.constructs.map((x) => [`${x.id}.svg`, drawing(x)])));
}

/** The page of all constructs. */
export function constructsPage(): string {
  const sections = CHAPTERS.map(
    ({ title, text, constructs }) => `## ${title}

${text}

${constructs.map(section).join('\n')}`,
  );
  return `# Models of programs: every construct and its net

\`build(m)\` runs once for every number of ranks and choice of parameters, never per rank: \`m.size\` and \`m.p\` are plain
values, and whatever depends on the rank, a turn of a loop or a received value is a function of the state, \`s => …\`. The net
is folded by rank: one net whose tokens carry the rank, whatever the number of ranks.

Times are those of the machine. Places are circles, transitions boxes; a box with a mark takes time. What programs share
with the modules of messages and collectives is drawn at its edge. \`foretoken convert model.ts model.svg\` draws your own.

This page and its drawings are written by \`npx tsx scripts/constructs.ts\`; the snippets are run as they stand.

${sections.join('\n')}`;
}

function section({ id, title, text, snippet, vars, module }: Construct): string {
  const declared = vars === undefined ? '' : `vars: { ${vars} }\n`;
  const code = module === undefined ? `\`\`\`ts\n${declared}${snippet}\n\`\`\`\n\n` : '';
  return `### ${title}

${text}

${code}![${title}](models/${id}.svg)
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync('docs/models', { recursive: true });
  for (const [file, text] of drawings()) writeFileSync(`docs/models/${file}`, text);
  writeFileSync('docs/models.md', constructsPage());
}
