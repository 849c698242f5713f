import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { environment, main, root } from '../cli/run.ts';
import { closesBrowser, figuresIn, HAS_BROWSER, launched, settled, violationsOf } from './browser.ts';

/** A server that runs. */
interface Serving {
  readonly address: string;
  readonly origin: string;
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

const running: ChildProcess[] = [];

async function serve(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Serving> {
  const child = spawn(process.execPath, [main, 'view', ...args, '--serve'], {
    cwd: root,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Awaited<Serving['ended']>>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  await until(() => stdout.includes('\n') || child.exitCode !== null);
  const address = stdout.split('\n')[0]!;
  expect(address, stderr).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{48}$/);
  const { origin } = new URL(address);
  return { address, origin, child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Waits until something holds; the time limit of the test ends it otherwise. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends a request with any headers: `fetch` does not change `Host`. */
function ask(url: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.once('error', reject).end();
  });
}

/** A folder with a model of two modules and its machine. */
function project(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'foretoken-serve-')));
  cpSync(join(root, 'examples/all-to-all/machine.yaml'), join(folder, 'machine.yaml'));
  writeFileSync(join(folder, 'work.ts'), 'export const flops: number = 2e6;\n');
  writeFileSync(join(folder, 'model.ts'), MODEL);
  return folder;
}

const MODEL = `import { spmd } from 'foretoken/models';
import { flops } from './work.ts';

export default spmd({
  name: 'served',
  build(m) {
    m.compute({ flops });
    m.barrier();
  },
});
`;

const argsOf = (folder: string): string[] => [
  join(folder, 'model.ts'),
  '--machine',
  join(folder, 'machine.yaml'),
  '--ranks',
  '2',
];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

describe('the server of a page', () => {
  it('serves the page and nothing else, to this machine and under its own name only', async () => {
    const { address, origin, child, ended } = await serve(argsOf(project()));
    const { host } = new URL(origin);
    const refusals = await Promise.all([
      ask(`${origin}/`),
      ask(`${origin}/?token=${'0'.repeat(48)}`),
      ask(`${origin}/news`),
      ask(`${origin}/news?token=${new URL(address).searchParams.get('token')}`),
      ask(address, { headers: { host: 'attacker.example' } }),
      ask(address, { headers: { host: `attacker.example:${host.split(':')[1]}` } }),
      ask(address, { headers: { origin: 'http://attacker.example' } }),
      ask(address, { headers: { origin: 'null' } }),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 403));
    const others = ['/model.ts', '/../model.ts', '/%2e%2e/model.ts', '//etc/passwd', '/index.html', '/news/'];
    const missing = await Promise.all(others.map((path) => ask(`${origin}${path}`)));
    expect(missing.map(({ status }) => status)).toEqual(others.map(() => 404));
    const methods = ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE'];
    const wrong = await Promise.all(methods.map((method) => ask(address, { method })));
    expect(wrong.map(({ status, headers }) => [status, headers['allow']])).toEqual(methods.map(() => [405, 'GET']));

    // None of these used the token up.
    const page = await ask(address);
    expect(page.status).toBe(200);
    const [cookie] = page.headers['set-cookie'] as string[];
    expect(cookie).toMatch(/^foretoken-\d+=[0-9a-f]{48}; HttpOnly; SameSite=Strict; Path=\/$/);
    for (const answer of [...refusals, ...missing, ...wrong, page]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    }
    expect(page.text).toContain("connect-src 'self'");
    expect(page.text.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)![1]).toMatch(
      /^default-src 'none'; .*require-trusted-types-for 'script'; trusted-types 'none'; connect-src 'self'$/,
    );
    const again = await ask(`${origin}/`, { headers: { cookie: `other=1; ${cookie!.split(';')[0]}` } });
    expect(again.status).toBe(200);
    expect(again.headers['set-cookie']).toBeUndefined();
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 130, signal: null });
    await expect(ask(`${origin}/`)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('opens an address once, and then shows another one in the terminal', async () => {
    const { address, child, stdout, ended } = await serve(argsOf(project()));
    expect((await ask(address)).status).toBe(200);
    expect(stdout().trim().split('\n')).toEqual([address]);
    const second = await ask(address);
    expect(second.status).toBe(403);
    expect(second.text).toMatch(/opened already/);
    await until(() => stdout().trim().split('\n').length === 2);
    const renewed = stdout().trim().split('\n')[1]!;
    expect(renewed).not.toBe(address);
    expect((await ask(renewed)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 143, signal: null });
  });

  it('refuses a port that is in use, and options that do not go together', async () => {
    const { origin, child } = await serve(argsOf(project()));
    const { port } = new URL(origin);
    const ended = async (args: readonly string[]): Promise<{ code: number | null; stderr: string }> => {
      const other = spawn(process.execPath, [main, 'view', ...args], { cwd: root, env: environment() });
      let stderr = '';
      other.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const code = await new Promise<number | null>((resolve) => other.once('close', resolve));
      return { code, stderr };
    };
    const args = argsOf(project());
    expect(await ended([...args, '--serve', '--port', port])).toEqual({
      code: 2,
      stderr: `APP055 port ${port} of 127.0.0.1 cannot be used: EADDRINUSE. Choose another, or 0 for any\n`,
    });
    const out = join(tmpdir(), 'served.html');
    for (const [options, message] of [
      [['--serve', '-o', out], /: APP007 a served page has no file/],
      [['--port', '8080', '-o', out], /: APP004 option --port applies to served pages only/],
      [['--follow', '-o', out], /: APP004 option --follow applies to served pages only/],
      [['--follow', '--serve'], /: APP004 option --follow applies to run records only/],
      [['--serve', '--port', '65536'], /Expected a port from 0 to 65535/],
    ] as const) {
      const { code, stderr } = await ended([...args, ...options]);
      expect(stderr).toMatch(message);
      expect(code).toBe(2);
    }
    expect((await ended(['-', '--serve', '--machine', args[2]!])).stderr).toMatch(/^APP054/);
    expect(existsSync(out)).toBe(false);
    child.kill('SIGINT');
  });

  it('survives models that end their process or run forever', async () => {
    const folder = project();
    const file = join(folder, 'model.ts');
    const { address, origin, child, stderr, ended } = await serve(argsOf(folder));
    const first = await ask(address);
    const cookie = (first.headers['set-cookie'] as string[])[0]!.split(';')[0]!;
    const page = async (): Promise<Answer> => ask(`${origin}/`, { headers: { cookie } });
    const build = (statement: string): void =>
      writeFileSync(file, MODEL.replace('m.barrier();', `m.barrier();\n    ${statement}`));
    const seen = (pattern: RegExp): Promise<void> => until(() => pattern.test(stderr()));
    build('process.exit(7);');
    await seen(/APP040/);
    build('process.abort();');
    await seen(/ended by SIGABRT|APP04\d.*abort/);
    // It begins, and the next change ends it.
    build("process.stderr.write('forever\\n'); for (;;);");
    await seen(/forever/);
    // The last page stays.
    expect((await page()).status).toBe(200);
    const before = stderr().length;
    writeFileSync(file, MODEL);
    await until(() => /model\.ts: \d+ spans/.test(stderr().slice(before)));
    expect(child.exitCode).toBe(null);
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 130, signal: null });
  });

  it.runIf(existsSync('/proc'))('leaves no process behind, however it ends', async () => {
    const folder = project();
    const marker = join(folder, 'pid');
    writeFileSync(
      join(folder, 'model.ts'),
      `import { writeFileSync } from 'node:fs';\n${MODEL.replace('m.barrier();', `writeFileSync(${JSON.stringify(marker)}, String(process.pid)); for (;;);`)}`,
    );
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const { child, ended } = await serve(argsOf(folder));
      await until(() => existsSync(marker) && readFileSync(marker, 'utf8') !== '');
      const pid = readFileSync(marker, 'utf8');
      expect(existsSync(`/proc/${pid}`)).toBe(true);
      expect(Number(pid)).not.toBe(child.pid);
      child.kill(signal);
      await ended;
      await until(
        () => !existsSync(`/proc/${pid}`) || /^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')),
      );
      writeFileSync(marker, '');
    }
  });
});

describe.skipIf(!HAS_BROWSER)('a served page', () => {
  closesBrowser();

  /** Opens an address in a browser of its own. */
  async function opened(address: string): Promise<{ page: Page; faults: string[]; close: () => Promise<void> }> {
    const browser = await launched();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const faults: string[] = [];
    const { origin } = new URL(address);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
    page.on('request', (sent) => {
      if (!sent.url().startsWith(`${origin}/`) && !sent.url().startsWith('blob:')) faults.push(sent.url());
    });
    await page.goto(address);
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    return { page, faults, close: () => browser.close() };
  }

  /** Reads from a page; reads again if the page was loaded anew meanwhile. */
  async function acrossLoads<T>(read: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await read();
      } catch (error) {
        if (!/navigat|context was destroyed/i.test((error as Error).message)) throw error;
      }
  }
  const figureOf = (page: Page, figure: string): Promise<number | undefined> =>
    acrossLoads(async () => (await figuresIn(page)).find(({ name }) => name === figure)?.value);
  /** The run time; of a page that is being loaded again it is there a little later. */
  const runTime = async (page: Page): Promise<number> => {
    for (;;) {
      const value = await figureOf(page, 'runTime');
      if (value !== undefined) return value;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  it('is made again when a module or the machine changes, and keeps its place', async () => {
    const folder = project();
    const { address, origin, child } = await serve(argsOf(folder));
    const { page, faults, close } = await opened(address);
    expect(await page.getAttribute('html', 'data-ready')).toBe('true');
    // The token is not in the address any more.
    expect(page.url()).toBe(`${origin}/`);
    const before = await runTime(page);
    expect(before).toBeGreaterThan(0);
    await page.getByRole('slider', { name: 'Time' }).evaluate((element, value) => {
      const input = element as unknown as EventTarget & { value: string };
      input.value = String(value);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }, before / 2);
    await page.getByRole('button', { name: 'Play' }).focus();
    // An editor that replaces a file.
    writeFileSync(join(folder, 'work.new'), 'export const flops: number = 4e6;\n');
    renameSync(join(folder, 'work.new'), join(folder, 'work.ts'));
    await until(async () => (await runTime(page)) !== before);
    await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
    const longer = await runTime(page);
    expect(longer).toBeGreaterThan(1.5 * before);
    const time = Number(await page.getByRole('slider', { name: 'Time' }).inputValue());
    expect(Math.abs(time - before / 2)).toBeLessThanOrEqual(1e-3 * before);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Play');
    const machine = join(folder, 'machine.yaml');
    const text = readFileSync(machine, 'utf8');
    writeFileSync(machine, text.replace('speed: 1Gf', 'speed: 1Mf'));
    expect(readFileSync(machine, 'utf8')).not.toBe(text);
    await until(async () => (await runTime(page)) > 100 * longer);
    expect(faults).toEqual([]);
    await close();
    child.kill('SIGINT');
  });

  it('keeps a token game where the net stays the same, and says where it does not', async () => {
    const folder = project();
    const { address, child, stderr } = await serve(argsOf(folder));
    const { page, faults, close } = await opened(address);
    await page.getByRole('radio', { name: 'Play by hand' }).check();
    const marking = (): Promise<string[]> =>
      page
        .getByRole('table', { name: 'Marking' })
        .locator('[data-place]')
        .evaluateAll((all) => all.map((row) => `${row.getAttribute('data-place')} ${row.getAttribute('data-count')}`));
    const initial = await marking();
    await page.getByRole('button', { name: 'Fire', exact: true }).click();
    const played = await marking();
    expect(played).not.toEqual(initial);
    await page.waitForURL(/game=/);
    const madeAgain = async (change: () => void): Promise<void> => {
      const before = stderr().length;
      const loaded = page.waitForEvent('load');
      change();
      await until(() => /spans/.test(stderr().slice(before)));
      await loaded;
      await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
    };
    await madeAgain(() => appendFileSync(join(folder, 'model.ts'), '// The same program.\n'));
    expect(await marking()).toEqual(played);
    await madeAgain(() =>
      writeFileSync(join(folder, 'model.ts'), MODEL.replace('m.barrier();', 'm.barrier();\n    m.barrier();')),
    );
    await page
      .getByRole('alert')
      .filter({ hasText: 'The game in the address of this page is left out. GAME006' })
      .waitFor();
    expect(await page.getByRole('radio', { name: 'Play by hand' }).isChecked()).toBe(true);
    expect(faults).toEqual([]);
    await close();
    child.kill('SIGINT');
  });

  it('shows the problems of the model with file and line, and keeps the last good page', async () => {
    const folder = project();
    const file = join(folder, 'model.ts');
    const { address, child } = await serve(argsOf(folder));
    const { page, faults, close } = await opened(address);
    const before = await runTime(page);
    const alert = page.getByRole('complementary', { name: 'Server' }).getByRole('alert');
    writeFileSync(file, MODEL.replace('m.barrier();', "throw new Error('<img src=x onerror=alert(1)>');"));
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/This is the last page without a problem\. The input has a problem:/);
    expect(await alert.textContent()).toContain(`${file}:8:`);
    expect(await alert.textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(await alert.locator('img').count()).toBe(0);
    expect(await runTime(page)).toBe(before);
    expect(await violationsOf(page, 'all')).toEqual([]);
    // A module that is missing, and then appears.
    writeFileSync(file, MODEL.replace('./work.ts', './other.ts'));
    await alert.filter({ hasText: 'other.ts' }).waitFor();
    writeFileSync(join(folder, 'other.ts'), 'export const flops: number = 8e6;\n');
    await until(async () => (await runTime(page)) > before);
    expect(await acrossLoads(() => alert.count())).toBe(0);
    expect(faults).toEqual([]);
    await close();
    child.kill('SIGINT');
  });

  it('is made again after a problem where other files come and go', async () => {
    const folder = project();
    const file = join(folder, 'model.ts');
    const { address, child } = await serve(argsOf(folder));
    const { page, close } = await opened(address);
    const before = await runTime(page);
    const alert = page.getByRole('complementary', { name: 'Server' }).getByRole('alert');
    const broken = (why: string): void =>
      writeFileSync(file, MODEL.replace('m.barrier();', `throw new Error('${why}');`));
    broken('first');
    await alert.filter({ hasText: 'first' }).waitFor();
    const noise = [folder, join(folder, '..')].map((at) => join(at, `noise-${process.pid}`));
    const timer = setInterval(() => {
      for (const path of noise) {
        writeFileSync(path, '');
        rmSync(path);
      }
    }, 20);
    try {
      broken('second');
      await alert.filter({ hasText: 'second' }).waitFor();
      writeFileSync(file, MODEL);
      await until(() => acrossLoads(async () => (await alert.count()) === 0));
      expect(await runTime(page)).toBe(before);
    } finally {
      clearInterval(timer);
    }
    await close();
    child.kill('SIGINT');
  });

  it('begins with the problems of a model that has no page yet', async () => {
    const folder = project();
    const file = join(folder, 'model.ts');
    writeFileSync(file, MODEL.replace('m.compute', 'm.computes'));
    const { address, child } = await serve(argsOf(folder));
    const { page, faults, close } = await opened(address);
    expect(await page.getAttribute('html', 'data-ready')).toBe('failed');
    expect(await page.getByRole('alert').textContent()).toMatch(/^There is no page yet\..*model\.ts:7:/s);
    writeFileSync(file, MODEL);
    await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
    expect(await runTime(page)).toBeGreaterThan(0);
    expect(faults).toEqual([]);
    await close();
    child.kill('SIGINT');
  });

  it('can be held, and says when the server has ended', async () => {
    const folder = project();
    const { address, child, ended } = await serve(argsOf(folder));
    const { page, close } = await opened(address);
    const before = await runTime(page);
    const server = page.getByRole('complementary', { name: 'Server' });
    const hold = server.getByRole('button', { name: 'Hold' });
    await hold.click();
    await settled(page);
    expect(await hold.getAttribute('aria-pressed')).toBe('true');
    writeFileSync(join(folder, 'work.ts'), 'export const flops: number = 4e6;\n');
    await server.getByText('There is a newer page.').waitFor();
    expect(await runTime(page)).toBe(before);
    await hold.click();
    await until(async () => (await runTime(page)) > before);
    child.kill('SIGINT');
    await ended;
    await server.getByText('The server does not answer').waitFor();
    expect(await runTime(page)).toBeGreaterThan(before);
    await close();
  });

  it('follows a record that is still being written', async () => {
    const folder = project();
    const record = join(folder, 'run.jsonl');
    const state = (process: number, start: number, end: number): string =>
      `${JSON.stringify({ table: 'states', process, start, end, state: 'computing' })}\n`;
    const head = { format: 'foretoken-run', version: 1, program: 'pair', origin: 'recorded', product: 'tracer 1' };
    const nodes = [{ name: 'a', sockets: 1 }];
    const whole = { ...head, processes: 2, nodes, nodeOf: [0, 0], socketOf: [0, 0] };
    writeFileSync(record, `${JSON.stringify(whole)}\n${state(0, 0, 1)}`);
    const { address, child } = await serve([record, '--follow']);
    const { page, faults, close } = await opened(address);
    const server = page.getByRole('complementary', { name: 'Server' });
    await server.getByText('Nothing of the record is complete yet').waitFor();
    const executionTime = (): Promise<number | undefined> => figureOf(page, 'executionTime');
    appendFileSync(record, `${state(1, 0, 2)}{"table":`);
    await until(async () => (await executionTime()) === 1);
    await server.getByText('The record is complete up to 1.000 s.').waitFor();
    expect(await page.getByText(/PROF008 the record is still being written: this is its part up to 1 s/).count()).toBe(
      1,
    );
    expect(await page.getByRole('slider', { name: 'Time' }).getAttribute('max')).toBe('1');
    appendFileSync(record, `"states","process":0,"start":1,"end":3,"state":"waiting"}\n`);
    await until(async () => (await executionTime()) === 2);
    appendFileSync(record, `${state(1, 2, 3)}{"end":{"complete":true,"time":3,"notes":[]}}\n`);
    await until(async () => (await executionTime()) === 3);
    await server.getByText('The record is complete.').waitFor();
    expect(await page.getByText('PROF008').count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
    child.kill('SIGINT');
  });

  it('is opened by the program that the user names', async () => {
    const folder = project();
    const browser = join(folder, 'browser');
    const log = join(folder, 'opened');
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${log}.new' && mv '${log}.new' '${log}'\n`, { mode: 0o755 });
    const { address, child } = await serve([...argsOf(folder), '--open'], { FORETOKEN_BROWSER: browser });
    await until(() => existsSync(log));
    expect(readFileSync(log, 'utf8')).toBe(address);
    child.kill('SIGINT');
  });
});
