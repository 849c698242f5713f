import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { mapModel } from '../src/commands/predict/model/stages.ts';
import * as models from '../src/models.ts';
import { drawNet } from '../src/net/drawing/svg.ts';
import { CHAPTERS, type Construct } from './constructs/list.ts';

/* `npx tsx scripts/constructs.ts` writes docs/models.md and the drawings in docs/models: every construct with its net. */

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

/** The model of a construct, from its snippet exactly as printed on the page. */
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
  const { modules } = mapModel(modelOf(construct), { machine, ranks: construct.ranks ?? 2 }).program;
  const net = modules.find((m) => m.name === (construct.draws ?? construct.module ?? construct.id))!;
  return drawNet(net, createRequire(import.meta.url)('@dagrejs/dagre') as never);
}

/** All drawings by file name. */
export function drawings(): Map<string, string> {
  return new Map(CHAPTERS.flatMap((c) => c.constructs.map((x) => [`${x.id}.svg`, drawing(x)])));
}

/** The text of docs/models.md. */
export function constructsPage(): string {
  const sections = CHAPTERS.map(
    ({ title, text, constructs }) => `## ${title}

${text}

${constructs.map(section).join('\n')}`,
  );
  return `# Models of programs: every construct and its net

This page lists every construct of a program model, with its code and the net that it becomes.

\`build(m)\` runs once for every number of ranks and set of parameters, never per rank, so \`m.size\` and \`m.p\` are plain values. A
value that depends on the rank, the iteration of a loop or a received value is a function of the state, \`s => …\`. The net is folded
by rank: it is one net whose tokens carry the rank, for any number of ranks.

In the drawings places are circles and transitions boxes; a box with a mark takes time. Places that the program shares with the
modules of messages and collectives are at the edge. Times are those of the machine. \`foretoken convert model.ts model.svg\` draws
the net of your model.

**Variables.** \`vars\` declares the variables of every rank; a function reads one as \`s.NAME\`.

| variable | values | at the start |
|---|---|---|
| \`counter()\`, \`counter(max)\` | integers from 0; the maximum follows from the loops, or is \`max\` | 0 |
| \`range(low, high)\` | integers from \`low\` to \`high\` | \`low\` |
| \`rankVar()\` | ranks | 0 |
| \`oneOf('a', 'b')\` | these names | the first one |
| \`flag()\` | booleans | false |

**Further members.**

- \`m.world\` is the communicator of all ranks of the model, \`m.everyone\` that of all coupled models.
- \`m.threads({ workers }, (t) => …)\` runs a region of [threads](threads.md) in a pool of each rank, and waits for its end.
- \`grid2d(m.size)\` and \`grid3d(m.size)\` give the neighbours of ranks in a grid; \`{ periodic: true }\` connects opposite edges. Outside the grid
  a neighbour is \`null\`, and a message to it does nothing.
- \`verifyWith: { ranks: 3, n: 2 }\` gives the ranks and parameters at which \`verify\`, \`explore\` and \`structure\` examine the model by default.

**Rank counts.** A model that does not run on every number of ranks declares its counts:

\`\`\`ts
export default spmd({ name: 'fox', ranks: (n) => Number.isInteger(Math.sqrt(n)), build(m) { m.barrier(); } });
export const grid = spmd({ name: 'grid', params: { px: 4, py: 2 }, ranks: (n, p) => n === p.px * p.py, build(m) { m.barrier(); } });
\`\`\`

- \`verify\`, \`explore\` and \`structure\` choose allowed counts and list the others.
- \`predict\`, \`convert\` and \`compare\` use the largest allowed count for which every rank has a core.
- A range such as \`whatif --vary ranks=1..64\` omits counts that are not allowed, with a note.
- An explicit count that is not allowed is refused with the nearest allowed ones (MODEL004).
- Coupled models (\`mpmd\`) run if each part can take its share; their own \`ranks\` may restrict the sum.
- Without a declaration, \`verify\`, \`explore\` and \`structure\` also skip the smallest counts if \`build\` throws for them.

\`npx tsx scripts/constructs.ts\` writes this page and its drawings; a test runs the snippets as shown.

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
