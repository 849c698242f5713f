import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

/*
 * Pages of long runs in Chromium, next to speedscope on the same spans: npx tsx bench/view.ts [SPANS] [TIMES]. Default: a million
 * spans on 64 ranks, five times, the two in turn. Start times and lengths are random nanoseconds, so that nothing repeats.
 * speedscope comes from npm into a temporary folder; it shows one rank at a time. Needs the built package and Chromium.
 */

const SPANS = Number(process.argv[2] ?? 1_000_000);
const TIMES = Number(process.argv[3] ?? 5);
const RANKS = 64;
const SPEEDSCOPE = '1.25.0';
const STATES = ['computing', 'waiting', 'communicating', 'overhead'];
const VIEWPORT = { width: 1920, height: 1080 };

const folder = mkdtempSync(join(tmpdir(), 'foretoken-bench-view-'));

/** Uniform numbers below 2³² (Marsaglia, Xorshift RNGs, 2003). */
let seed = 2_463_534_242;
function random(): number {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return seed >>> 0;
}

/** Writes the spans as CSV states and as speedscope profiles; returns the paths. */
function written(): { readonly csv: string; readonly profiles: string } {
  const csv = join(folder, 'states.csv');
  const profiles = join(folder, 'profiles.speedscope.json');
  const [states, other] = [openSync(csv, 'w'), openSync(profiles, 'w')];
  writeSync(states, 'process,node,start,end,state\n');
  const frames = STATES.map((name) => ({ name }));
  const head = { $schema: 'https://www.speedscope.app/file-format-schema.json', shared: { frames } };
  writeSync(other, `${JSON.stringify(head).slice(0, -1)},"profiles":[`);
  const each = Math.floor(SPANS / RANKS);
  for (let rank = 0; rank < RANKS; rank++) {
    const lines: string[] = [];
    const events: string[] = [];
    let at = 0;
    for (let k = 0; k < each; k++) {
      const start = at + (random() % 1000);
      at = start + 1 + (random() % 100_000);
      const state = random() % STATES.length;
      lines.push(`${rank},n${rank >> 3},${start / 1e9},${at / 1e9},${STATES[state]}\n`);
      events.push(`{"type":"O","frame":${state},"at":${start}},{"type":"C","frame":${state},"at":${at}}`);
    }
    writeSync(states, lines.join(''));
    writeSync(
      other,
      `${rank === 0 ? '' : ','}{"type":"evented","name":"${rank}","unit":"nanoseconds","startValue":0,"endValue":${at},"events":[${events.join(',')}]}`,
    );
  }
  writeSync(other, ']}');
  return { csv, profiles };
}

/** The page of speedscope, and the file by which its command line passes a profile; undefined if it cannot be installed. */
function speedscope(profiles: string): { readonly page: string; readonly script: string } | undefined {
  try {
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `speedscope@${SPEEDSCOPE}`];
    execFileSync('npm', args, { stdio: 'ignore' });
    const page = join(folder, 'node_modules/speedscope/dist/release/index.html');
    const script = join(folder, 'profile.js');
    const base64 = readFileSync(profiles).toString('base64');
    writeFileSync(script, `speedscope.loadFileFromBase64("run.speedscope.json", "${base64}")`);
    return { page, script };
  } catch (error) {
    console.log(`speedscope cannot be used: ${(error as Error).message.split('\n')[0]}`);
    return undefined;
  }
}

const newPage = async (browser: Browser): Promise<Page> => (await browser.newContext({ viewport: VIEWPORT })).newPage();

/** The value of an expression when it has one. The policy of a page forbids what Playwright waits with. */
async function when(page: Page, expression: string): Promise<number> {
  for (;;) {
    const value = (await page.evaluate(expression)) as number | undefined;
    if (value !== undefined) return value;
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Milliseconds from the start of navigation to the first picture, and frames a second over a pan of five seconds. */
async function ours(browser: Browser, html: string): Promise<{ readonly first: number; readonly frames: number }> {
  const page = await newPage(browser);
  await page.goto(`file://${html}`);
  const first = await when(page, 'performance.getEntriesByName("first-picture")[0]?.startTime');
  await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 300_000 });
  for (let k = 0; k < 4; k++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByRole('application').focus();
  await page.evaluate(`
    globalThis.frames_ = [];
    const count = (at) => { globalThis.frames_.push(at); requestAnimationFrame(count); };
    requestAnimationFrame(count);`);
  const begin = Date.now();
  while (Date.now() - begin < 5000)
    await page.keyboard.press(((Date.now() - begin) / 500) % 2 < 1 ? 'ArrowRight' : 'ArrowLeft');
  const at = (await page.evaluate('globalThis.frames_')) as number[];
  await page.context().close();
  const lengths = at.slice(1).map((time, k) => time - at[k]!);
  return { first, frames: 1000 / median(lengths) };
}

/** Milliseconds from the start of navigation to the first draw of a profile. */
async function theirs(
  browser: Browser,
  { page: html, script }: { readonly page: string; readonly script: string },
): Promise<number> {
  const page = await newPage(browser);
  await page.addInitScript(`
    for (const kind of ['WebGLRenderingContext', 'WebGL2RenderingContext'])
      for (const name of ['drawArrays', 'drawElements']) {
        const of = globalThis[kind]?.prototype;
        if (of === undefined) continue;
        const draw = of[name];
        of[name] = function (...args) { globalThis.drawn_ ??= performance.now(); return draw.apply(this, args); };
      }`);
  await page.goto(`file://${html}#localProfilePath=${script}`, { waitUntil: 'commit' });
  const first = await when(page, 'globalThis.drawn_');
  await page.context().close();
  return first;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
const listed = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(' ');

try {
  const { csv, profiles } = written();
  const html = join(folder, 'run.html');
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  const begin = performance.now();
  execFileSync(process.execPath, [main, 'view', csv, '-o', html], { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(
    `${SPANS} spans of ${RANKS} ranks: ${(statSync(html).size / 1e6).toFixed(2)} MB, made in ${((performance.now() - begin) / 1000).toFixed(1)} s`,
  );
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error('no Chromium: give its path in CHROMIUM');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const peer = speedscope(profiles);
  const [own, other]: [{ first: number; frames: number }[], number[]] = [[], []];
  for (let k = 0; k < TIMES; k++) {
    own.push(await ours(browser, html));
    if (peer !== undefined) other.push(await theirs(browser, peer));
  }
  await browser.close();
  const firsts = own.map(({ first }) => first);
  console.log(`first picture, ms: ${listed(firsts)}; median ${median(firsts).toFixed(0)}`);
  console.log(`frames a second over a pan of 5 s: ${own.map(({ frames }) => frames.toFixed(1)).join(' ')}`);
  if (other.length > 0) {
    console.log(`speedscope ${SPEEDSCOPE}, first draw, ms: ${listed(other)}; median ${median(other).toFixed(0)}`);
    console.log(`ratio of the medians: ${(median(firsts) / median(other)).toFixed(2)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
