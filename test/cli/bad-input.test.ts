import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { answer } from '../../src/cli/answer.ts';
import { problemText } from '../../src/commands/command-line/failure.ts';
import type { PredictOptions } from '../../src/commands/predict/options.ts';
import type { PredictionDocument } from '../../src/commands/predict/prediction.ts';

/** Time limit of a run in milliseconds; longer runs count as hanging. */
const LIMIT = 20_000;
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'foretoken-bad-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Longer than the paths of any operating system. */
const LONG_NAME = 'a'.repeat(5000);

/** Each case has its own folder, so that files left behind are detected. */
let folder = '';
let cases = 0;
beforeEach(() => {
  folder = join(root, String(cases++));
  mkdirSync(folder);
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in the case's folder; a run that exceeds the limit is killed and has no exit code. */
function run(args: readonly string[], input = ''): Ended {
  const { PATH = '', FORETOKEN_CACHE = 'off' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, FORETOKEN_CACHE, LC_ALL: 'C.UTF-8', COLUMNS: '100' },
    input,
    maxBuffer: 1 << 28,
    timeout: LIMIT,
    killSignal: 'SIGKILL',
  });
  return { code: status, stdout, stderr };
}

function write(files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** A platform with two hosts and the given further elements. */
const platform = (zone = '', speed = '1Gf', bandwidth = '1GBps'): string =>
  `<?xml version="1.0"?>
<platform version="4.1">
<zone id="z" routing="Full">
<host id="a" speed="${speed}"/>
<host id="b" speed="1Gf"/>
<link id="l" bandwidth="${bandwidth}" latency="1us"/>
${zone}
</zone>
</platform>
`;
const ROUTE = '<route src="a" dst="b"><link_ctn id="l"/></route>';
const good = platform(ROUTE);
const ring = '0 init\n1 init\n0 send 1 0 100\n1 recv 0 0 100\n0 finalize\n1 finalize\n';
/** Two ranks with the given lines between init (lines 1 and 2) and finalize. */
const two = (lines: string): string => `0 init\n1 init\n${lines}\n0 finalize\n1 finalize\n`;

/** Expects exit code 2, no standard output, location and problem on standard error, and no output file. */
function refused(args: readonly string[], message: RegExp, input = ''): void {
  const before = readdirSync(folder).sort();
  const { code, stdout, stderr } = run(args, input);
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('    at ');
  expect(readdirSync(folder).sort()).toEqual(before);
}

const predict = ['predict', 'x.ti', '--machine', 'm.xml', '--trace', 'out.json'];

/**
 * Expects the same of the job of a prediction in this process: the work of one start of the command line is that of many
 * jobs. That problems become exit code 2, without output, is tested once for each kind of input.
 */
async function refusedAsJob(
  input: string,
  options: PredictOptions & { trace?: string },
  message: RegExp,
): Promise<void> {
  const [before, home] = [readdirSync(folder).sort(), process.cwd()];
  process.chdir(folder);
  try {
    const found = await answer({ command: 'predict', input, options }, { cancelled: () => false });
    const text = found.kind === 'problems' ? problemText(found.problems) : found.kind;
    expect(text).toMatch(message);
    expect(text).not.toContain('    at ');
    expect(readdirSync('.').sort()).toEqual(before);
  } finally {
    process.chdir(home);
  }
}
const options = { machine: 'm.xml', trace: 'out.json' };

describe('a trace', { timeout: 2 * LIMIT }, () => {
  it.each<[string, string | Buffer, RegExp]>([
    ['unknown action', two('0 fly 7'), /^x\.ti:3:3: TI020 unknown action "fly"/],
    ['missing rank', '0 init\n2 init\n0 finalize\n2 finalize\n', /^x\.ti: TI012 .* no line of rank 1/],
    ['too few arguments', two('0 send 1'), /^x\.ti:3:3: TI022 send cannot have 1 argument/],
    ['too many arguments', two('0 compute 1 2'), /^x\.ti:3:3: TI022/],
    ['NaN', two('0 compute nan'), /^x\.ti:3:11: TI023 flops "nan"/],
    ['infinity', two('0 compute 1e999'), /^x\.ti:3:11: TI023/],
    ['negative size', two('0 send 1 0 -8'), /^x\.ti:3:12: TI023 count "-8" is negative/],
    ['broken size', two('0 send 1 0 1.5'), /^x\.ti:3:12: TI023/],
    ['size beyond 2^53', two('0 send 1 0 1e16'), /^x\.ti:3:12: TI027/],
    ['destination out of range', two('0 send 2 0 8'), /^x\.ti:3:8: TI024/],
    ['source out of range', two('0 recv -1 0 8'), /^x\.ti:3:8: TI024/],
    ['root out of range', two('0 bcast 8 7\n1 bcast 8 7'), /^x\.ti:3:11: TI024/],
    ['too high a rank', '0 init\n1000000000 init\n', /^x\.ti:2: TI011/],
    ['negative rank', two('-1 compute 1'), /^x\.ti:3:1: TI010/],
    ['wait without request', two('0 wait 0 1 0'), /^x\.ti:3: TI030/],
    ['wait for another request', two('0 irecv 1 0 8\n1 send 0 0 8\n0 wait 1 0 5'), /^x\.ti:5: TI030/],
    ['different collectives', two('0 barrier\n1 bcast 8 0'), /^x\.ti:4: TI031/],
    ['different roots', two('0 bcast 8 1\n1 bcast 8 0'), /^x\.ti:4: TI031/],
    ['one collective too few', two('0 barrier\n0 barrier\n1 barrier'), /^x\.ti: TI032 .*x\.ti:4/],
    ['empty', '', /^x\.ti: TI002/],
    ['blank', '\n  \n# nothing\n', /^x\.ti: TI002/],
    ['binary', readFileSync(process.execPath).subarray(0, 1 << 16), /^x\.ti: TI003/],
    ['binary in the middle', two('0 compute \0'), /^x\.ti: TI003/],
    ['control character', two('0 \u001b[31mfly 7'), /^x\.ti:3:3: TI003/],
    ['UTF-16', Buffer.from(ring, 'utf16le'), /^x\.ti: TI003/],
    ['broken gzip', gzipSync(ring).subarray(0, 30), /^x\.ti: TI005/],
    ['damaged gzip', damaged(gzipSync(ring)), /^x\.ti: TI005/],
    ['listing that names itself', 'x.ti\n', /^x\.ti:1: TI006 the listing contains itself/],
    ['listing of a missing file', 'm.xml\nmissing.ti\n', /x\.ti:2: TI006 .*"missing\.ti" does not exist/],
  ])('a trace is refused with its place: %s', async (_, text, message) => {
    write({ 'x.ti': text, 'm.xml': good });
    await refusedAsJob('x.ti', options, message);
  });

  it('a listing that names itself by a link', () => {
    write({ 'x.ti': 'y.ti\n', 'm.xml': good });
    linkSync(join(folder, 'x.ti'), join(folder, 'y.ti'));
    refused(predict, /^y\.ti:1: TI006/);
  });

  it('a line of 2 GiB', () => {
    write({ 'x.ti': '0 init\n1 init\n0 compute ', 'm.xml': good });
    truncateSync(join(folder, 'x.ti'), 2 ** 31);
    refused(predict, /^x\.ti: TI003/);
    rmSync(join(folder, 'x.ti'));
  });

  it.skipIf(process.platform === 'win32')('a line of 2 GiB through a pipe', async () => {
    write({ 'm.xml': good });
    const child = spawn(process.execPath, [main, 'predict', '-', '--machine', 'm.xml'], { cwd: folder });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    const block = Buffer.alloc(1 << 20, '1');
    // The reader closes the pipe after the first 16 MiB.
    child.stdin.on('error', () => {});
    child.stdin.write('0 init\n0 compute ');
    for (let k = 0; k < 2048 && child.stdin.writable; k++) {
      if (!child.stdin.write(block))
        await Promise.race([new Promise((resolve) => child.stdin.once('drain', resolve)), ended]);
    }
    child.stdin.end();
    expect(await ended).toBe(2);
    expect(stderr).toMatch(/^<stdin>: TI004/);
  });

  it('of 200,000 bad lines the first 20 are reported', () => {
    write({ 'x.ti': two('0 fly 7\n'.repeat(200_000)), 'm.xml': good });
    const { code, stderr } = run(predict);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(21);
  });

  it('whose ranks lack a finalize is predicted with a warning', () => {
    write({ 'x.ti': '0 init\n0 compute 1e9\n', 'm.xml': good });
    const { code, stdout, stderr } = run(['predict', 'x.ti', '-m', 'm.xml']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: x.ti: TI040 rank 0 has no finalize; is the trace complete?\n',
    });
    expect(stdout).toMatch(/^Run time 1\.000 s/);
  });

  it.each([
    ['1', /^x\.ti:2:1: TI011/],
    ['3', /^x\.ti: TI012 the trace has 3 ranks, but no line of rank 2/],
    ['1000000000', /TI011 1000000000 ranks were requested: at most 262144/],
    ['0', /Expected an integer >= 1/],
    ['-1', /Expected an integer >= 1/],
    ['1e9', /TI011 1000000000 ranks were requested: at most 262144/],
    ['1e-9', /Expected an integer >= 1/],
    ['abc', /Expected an integer >= 1/],
  ])('--ranks %s for a trace of two', (ranks, message) => {
    write({ 'x.ti': ring, 'm.xml': good });
    refused([...predict, '--ranks', ranks], message);
  });
});

function damaged(bytes: Buffer): Buffer {
  bytes[bytes.length - 6]! ^= 0xff;
  return bytes;
}

describe('a platform', { timeout: 2 * LIMIT }, () => {
  const entities = `<?xml version="1.0"?>
<!DOCTYPE p [
<!ENTITY a "aaaaaaaaaa">
${Array.from({ length: 9 }, (_, k) => `<!ENTITY ${'a'.repeat(k + 2)} "${`&${'a'.repeat(k + 1)};`.repeat(10)}">`).join('\n')}
]>
<platform version="4.1"><zone id="&aaaaaaaaaa;" routing="Full"/></platform>
`;
  it.each<[string, string, RegExp]>([
    ['without a route', platform(), /^m\.xml: PLAT020 no route from host a to host b/],
    ['route to an unknown host', platform('<route src="a" dst="c"/>'), /^m\.xml:7:1: PLAT012/],
    ['zero bandwidth', platform(ROUTE, '1Gf', '0'), /^m\.xml:6:1: PLAT007 bandwidth "0" of link "l"/],
    ['infinite bandwidth', platform(ROUTE, '1Gf', 'inf'), /^m\.xml:6:1: PLAT007 bandwidth "inf"/],
    ['bandwidth beyond a double', platform(ROUTE, '1Gf', '1e400'), /^m\.xml:6:1: PLAT007/],
    ['bandwidth next to nothing', platform(ROUTE, '1Gf', '1e-320'), /^m\.xml:6:1: PLAT007 .* below 1e-100/],
    ['negative speed', platform(ROUTE, '-1Gf'), /^m\.xml:4:1: PLAT007 speed "-1Gf"/],
    ['unknown unit', platform(ROUTE, '1Gfl'), /^m\.xml:4:1: PLAT007 .*unknown unit "Gfl"/],
    ['unsupported element', platform(`${ROUTE}<storage id="d"/>`), /^m\.xml:7:\d+: PLAT005 element <storage>/],
    ['unsupported attribute', good.replace('<host id="a"', '<host id="a" os="x"'), /^m\.xml:4:1: PLAT006/],
    ['unsupported routing', good.replace('"Full"', '"Wifi"'), /^m\.xml:3:1: PLAT009/],
    [
      'a zone in itself',
      good.replace('<host id="a"', '<zone id="z" routing="Full"/><host id="a"'),
      /^m\.xml:4:1: PLAT013 zone "z" contains itself/,
    ],
    [
      'a zone route to itself',
      '<platform version="4.1"><zone id="z" routing="Full">\n<zone id="y" routing="Full"><host id="a" speed="1Gf"/></zone>\n<zoneRoute src="y" dst="y" gw_src="a" gw_dst="a"/></zone></platform>',
      /^m\.xml:3:1: PLAT012 a zoneRoute from zone "y" to itself/,
    ],
    ['entity bomb', entities, /^m\.xml:13:3: PLAT003 entity definitions are not supported/],
    [
      'entity of a file',
      good.replace('\n', '\n<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n'),
      /^m\.xml:2:\d+: PLAT003/,
    ],
    [
      '100,000 zones deep',
      `<platform version="4.1">${Array.from({ length: 100_000 }, (_, k) => `<zone id="z${k}" routing="Full">`).join('')}`,
      /PLAT004/,
    ],
    [
      'too many hosts',
      platform('<cluster id="c" prefix="c" suffix="" radical="0-999999999" speed="1Gf" bw="1GBps" lat="1us"/>'),
      /^m\.xml:7:1: PLAT010/,
    ],
    ['no XML', '{}', /^m\.xml:1:\d+: PLAT002/],
    ['cut off', good.slice(0, 150), /^m\.xml:\d+:\d+: PLAT002/],
    ['empty', '', /^m\.xml: PLAT001/],
  ])('a platform is refused with its place: %s', async (_, text, message) => {
    write({ 'x.ti': ring, 'm.xml': text });
    await refusedAsJob('x.ti', options, message);
  });

  it.each<[string, string, RegExp]>([
    ['unknown host', 'a\nc\n', /^h\.txt:2:1: PLAT021 unknown host "c"/],
    ['empty', '', /^h\.txt: PLAT040/],
    ['slots', 'a:x\n', /^h\.txt:1:1: PLAT041/],
    ['binary', '\0\u0001', /^h\.txt: PLAT040/],
  ])('hostfile: %s', async (_, text, message) => {
    write({ 'x.ti': ring, 'm.xml': good, 'h.txt': text });
    await refusedAsJob('x.ti', { ...options, hostfile: 'h.txt' }, message);
  });

  it('a platform and a hostfile end the command line', () => {
    write({ 'x.ti': ring, 'm.xml': platform(), 'h.txt': '' });
    refused(predict, /^m\.xml: PLAT020/);
    write({ 'm.xml': good });
    refused([...predict, '--hostfile', 'h.txt'], /^h\.txt: PLAT040/);
  });

  it('fewer hosts than ranks', () => {
    write({ 'x.ti': '0 init\n1 init\n2 init\n', 'm.xml': good });
    refused(predict, /PLAT043/);
  });
});

describe('a net', { timeout: 2 * LIMIT }, () => {
  type Json = Record<string, unknown>;
  const net = (change: { transition?: Json; output?: Json; places?: Json[]; more?: Json } = {}): string =>
    JSON.stringify(
      {
        format: 'foretoken-net',
        version: 1,
        name: 'n',
        colours: [
          { name: 'R', kind: 'range', low: 0, high: 3 },
          { name: 'One', kind: 'range', low: 0, high: 0 },
          { name: 'B', kind: 'bool' },
          { name: 'Huge', kind: 'range', low: 0, high: 2 ** 40 },
        ],
        tables: [{ name: 't', kind: 'real', values: [1, 2] }],
        places: [
          { name: 'p', fields: [{ name: 'r', colour: 'R' }], initial: [[0], [1]] },
          ...(change.places ?? [{ name: 'q', fields: [{ name: 'r', colour: 'R' }] }]),
        ],
        transitions: [
          {
            name: 'go',
            inputs: [{ kind: 'take', place: 'p', pattern: { r: 'v' } }],
            delay: 1,
            outputs: [{ place: 'q', values: { r: 'v' }, ...change.output }],
            ...change.transition,
          },
        ],
        ...change.more,
      },
      null,
      1,
    );

  it('that is sound runs', () => {
    write({ 'n.json': net() });
    expect(run(['predict', 'n.json'])).toMatchObject({ code: 0, stderr: '' });
  });

  it.each<[string, string, RegExp]>([
    ['unknown place', net({ output: { place: 'qq' } }), /^n\.json:\d+:\d+: NET012 .*Did you mean "q"/],
    ['unbound variable', net({ output: { values: { r: 'w' } } }), /^n\.json:\d+:\d+: NET021 .*"w"/],
    [
      'colours that do not fit',
      net({ places: [{ name: 'q', fields: [{ name: 'r', colour: 'B' }] }] }),
      /^n\.json:\d+:\d+: NET022/,
    ],
    [
      'a value outside its colour',
      net({ places: [{ name: 'q', fields: [{ name: 'r', colour: 'One' }] }] }),
      /^n\.json:\d+:\d+: RUN002 transition go/,
    ],
    [
      'endless cycle without delay',
      net({ transition: { delay: 0 }, output: { place: 'p' } }),
      /^n\.json: RUN001 .*endless cycle without delay through go/,
    ],
    [
      'index outside a table',
      net({ transition: { delay: ['at', 't', 7] } }),
      /^n\.json:\d+:\d+: RUN003 table t: index 7/,
    ],
    ['negative delay', net({ transition: { delay: -1 } }), /^n\.json:\d+:\d+: RUN004 transition go: a delay of -1 s/],
    ['infinite delay', net({ transition: { delay: ['div', 1, 'v'] } }), /^n\.json:\d+:\d+: RUN004/],
    ['negative count', net({ output: { count: -1 } }), /^n\.json:\d+:\d+: RUN005/],
    [
      '2^40 processes',
      net({ more: { processes: { colour: 'Huge', ended: 'q' } } }),
      /^n\.json:\d+:\d+: NET030 .*1099511627777 values/,
    ],
    [
      'deep expression',
      net({ transition: { delay: 'DEEP' } }).replace('"DEEP"', `${'["neg",'.repeat(1e5)}1${']'.repeat(1e5)}`),
      /^n\.json:\d+:\d+: NET103/,
    ],
    ['deep lists', '['.repeat(1e6), /^n\.json:1:1: NET102/],
    ['cut off', net().slice(0, 300), /^n\.json:\d+:\d+: NET101/],
    ['binary', '\0\u0001', /^n\.json:1:1: NET101/],
    ['empty', '', /^n\.json:1:1: NET101/],
    ['not a net', '{"format":"foretoken","version":1,"kind":"prediction"}', /^n\.json:1:11: NET102/],
  ])('a net is refused with its place: %s', async (_, text, message) => {
    write({ 'n.json': text });
    await refusedAsJob('n.json', {}, message);
  });

  it('that is faulty, or fails when it runs, ends the command line', () => {
    write({ 'n.json': '{', 'm.json': net({ transition: { delay: -1 } }) });
    refused(['predict', 'n.json'], /^n\.json:\d+:\d+: NET101/);
    refused(['predict', 'm.json'], /^m\.json:\d+:\d+: RUN004/);
  });

  it('of 100,000 processes is predicted', () => {
    const many = net({ more: { processes: { colour: 'Many', ended: 'q' } } })
      .replaceAll('"colour": "R"', '"colour": "Many"')
      .replace('"colours": [', '"colours": [{ "name": "Many", "kind": "range", "low": 0, "high": 99999 },');
    write({ 'n.json': many });
    const { code, stdout } = run(['predict', 'n.json', '--json']);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as PredictionDocument).ranks).toHaveLength(100_000);
  });
});

describe('a deadlock is not bad input: exit code 1, with the waiting ranks', { timeout: 2 * LIMIT }, () => {
  it.each<[string, string, string, readonly (readonly [number, number, readonly number[] | null])[]]>([
    [
      'large sends head to head',
      'simgrid-smpi',
      two('0 send 1 0 100000\n0 recv 1 0 100000\n1 send 0 0 100000\n1 recv 0 0 100000'),
      [
        [0, 3, [1]],
        [1, 5, [0]],
      ],
    ],
    [
      'small sends head to head that wait for their receivers',
      'simgrid-rendezvous',
      two('0 send 1 0 1\n0 recv 1 0 1\n1 send 0 0 1\n1 recv 0 0 1'),
      [
        [0, 3, [1]],
        [1, 5, [0]],
      ],
    ],
    ['a receive never sent', 'simgrid-smpi', two('0 recv 1 0 8\n1 compute 1e9'), [[0, 3, [1]]]],
    [
      'a waitall on what is never sent',
      'simgrid-smpi',
      two('0 irecv 1 0 8\n0 irecv 1 5 8\n0 waitall\n1 send 0 0 8'),
      [[0, 5, [1]]],
    ],
    ['tags that do not match', 'simgrid-smpi', two('0 recv 1 3 8\n1 send 0 4 8'), [[0, 3, [1]]]],
    [
      'a wildcard that took the message',
      'simgrid-smpi',
      two('0 recv -555 -444 8\n0 recv 1 0 8\n1 send 0 0 8'),
      [[0, 4, [1]]],
    ],
    ['a wildcard and nobody', 'simgrid-smpi', two('0 recv -555 -444 8'), [[0, 3, null]]],
    [
      'a collective',
      'simgrid-smpi',
      two('0 barrier\n0 send 1 0 8\n1 recv 0 0 8\n1 barrier'),
      [
        [0, 3, [1]],
        [1, 5, [0]],
      ],
    ],
  ])('a deadlock ends with exit code 1 and the waiting ranks: %s', (_, model, text, waiting) => {
    write({ 'x.ti': text, 'm.xml': good });
    const args = ['predict', 'x.ti', '--machine', 'm.xml', '--network-model', model];
    const page = run(args);
    expect(page.code).toBe(1);
    for (const [rank, line] of waiting)
      expect(page.stdout.replaceAll(/\n +/g, ' ')).toMatch(new RegExp(`rank ${rank}: .*, x\\.ti:${line}, waits for `));
    const { deadlock } = JSON.parse(run([...args, '--json']).stdout) as PredictionDocument;
    expect(deadlock.map(({ rank, line, waitsFor }) => [rank, line, waitsFor])).toEqual(waiting);
  });

  it('does not count computations after the deadlock', () => {
    write({
      'x.ti': two('0 compute 1e9\n1 compute 1e9\n0 recv 1 0 1\n1 recv 0 0 1\n0 compute 1e13\n1 compute 1e13'),
      'm.xml': good,
      'h.txt': 'a:2\n',
    });
    const { stdout } = run(['predict', 'x.ti', '--machine', 'm.xml', '--hostfile', 'h.txt', '--json']);
    const { resources, figures } = JSON.parse(stdout) as PredictionDocument;
    expect(figures.runTime.value).toBe(2);
    expect(resources[0]).toMatchObject({ name: 'a', utilisation: 1, amount: { value: 2e9 } });
  });
});

describe('files', { timeout: 2 * LIMIT }, () => {
  it.each<[string, readonly string[], RegExp]>([
    ['no such trace', ['predict', 'no.ti', '--machine', 'm.xml'], /^no\.ti: TI001/],
    ['no such platform', ['predict', 'x.ti', '--machine', 'no.xml'], /^no\.xml: PLAT001/],
    ['no such hostfile', ['predict', 'x.ti', '--machine', 'm.xml', '--hostfile', 'no'], /^no: PLAT040/],
    ['no such net', ['predict', 'no.json'], /^no\.json: APP001/],
    ['a folder as trace', ['predict', '.', '--machine', 'm.xml'], /TI001 this is a directory/],
    ['a folder as platform', ['predict', 'x.ti', '--machine', '.'], /PLAT001/],
    ['a trace in no folder', ['predict', 'x.ti', '--machine', 'm.xml', '--trace', 'no/t.json'], /^no\/t\.json: OUT001/],
    ['a net in no folder', ['convert', 'x.ti', 'no/n.json', '--machine', 'm.xml'], /^no\/n\.json: APP006/],
    ['a trace with a long name', ['predict', LONG_NAME, '--machine', 'm.xml'], /^TI001 .* the path is too long/],
    ['a net with a long name', ['explore', `${LONG_NAME}.json`], /APP001/],
    ['a written net with a long name', ['convert', 'x.ti', `${LONG_NAME}.json`, '--machine', 'm.xml'], /APP006/],
    ['a written trace with a long name', ['predict', 'x.ti', '--machine', 'm.xml', '--trace', LONG_NAME], /OUT001/],
    ['a trace in a file', ['predict', 'x.ti/x.ti', '--machine', 'm.xml'], /^x\.ti\/x\.ti: TI001 .*ENOTDIR/],
    ['a trace over the trace', ['predict', 'x.ti', '--machine', 'm.xml', '--trace', 'x.ti'], /^x\.ti: APP007/],
    ['a trace over the platform', ['predict', 'x.ti', '--machine', 'm.xml', '--trace', './m.xml'], /APP007/],
    ['a net over the trace', ['convert', 'x.txt', 'x.txt', '--machine', 'm.xml'], /^x\.txt: APP007/],
    ['a trace to -', ['predict', 'x.ti', '--machine', 'm.xml', '--trace', '-'], /APP007/],
  ])('the command refuses %s', (_, args, message) => {
    write({ 'x.ti': ring, 'x.txt': ring, 'm.xml': good });
    refused(args, message);
    expect(readFileSync(join(folder, 'x.ti'), 'utf8')).toBe(ring);
    expect(readFileSync(join(folder, 'x.txt'), 'utf8')).toBe(ring);
    expect(readFileSync(join(folder, 'm.xml'), 'utf8')).toBe(good);
  });

  it.skipIf(process.platform === 'win32')('control characters of a path do not reach the terminal', () => {
    const name = 'x\u001b[31m\n.ti';
    write({ [name]: '0 init\n0 fly\n', 'm.xml': good });
    refused(['predict', name, '--machine', 'm.xml'], /^x\\u001b\[31m\\n\.ti:2:3: TI020/);
    refused(['predict', 'x', '--\u001b[31m'], /^foretoken: unknown option '--\\u001b\[31m'/);
  });

  it.skipIf(process.platform === 'win32')('a trace from a named pipe is read once', () => {
    write({ 'x.ti': ring, 'm.xml': good });
    const shell = (command: string) =>
      spawnSync('sh', ['-c', command, process.execPath, main], { cwd: folder, encoding: 'utf8', timeout: LIMIT });
    const { status, stdout } = shell('mkfifo f && (cat x.ti > f &) && "$0" "$1" predict f --machine m.xml --json');
    expect(status).toBe(0);
    const { inputs, figures } = JSON.parse(stdout) as PredictionDocument;
    expect(Object.keys(inputs)).toEqual(['machine']);
    expect(figures.actions?.value).toBe(6);
  });

  it.skipIf(process.platform === 'win32')('a net is written through a link', () => {
    write({ 'x.ti': ring, 'm.xml': good, 'real.json': '' });
    symlinkSync('real.json', join(folder, 'link.json'));
    expect(run(['convert', 'x.ti', 'link.json', '--machine', 'm.xml']).code).toBe(0);
    expect(lstatSync(join(folder, 'link.json')).isSymbolicLink()).toBe(true);
    expect(run(['predict', 'real.json']).code).toBe(0);
  });

  it('a listing names its files relative to itself', () => {
    mkdirSync(join(folder, 'sub'));
    write({ 'm.xml': good, 'sub/list': '0.ti\n1.ti.gz\n', 'sub/0.ti': '0 init\n0 send 1 0 8\n0 finalize\n' });
    write({ 'sub/1.ti.gz': gzipSync('1 init\n1 recv 0 0 8\n1 finalize\n') });
    expect(run(['predict', 'sub/list', '--machine', 'm.xml'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('the output does not depend on how the trace is read', () => {
    write({ 'x.ti': ring, 'm.xml': good });
    copyFileSync(join(folder, 'x.ti'), join(folder, 'y.ti'));
    const chrome = (args: readonly string[], input = ''): string => {
      expect(run([...args, '--machine', 'm.xml', '--trace', 't.json'], input).code).toBe(0);
      return readFileSync(join(folder, 't.json'), 'utf8');
    };
    const first = chrome(['predict', 'x.ti']);
    expect(chrome(['predict', 'y.ti'])).toBe(first);
    expect(chrome(['predict', '-'], ring)).toBe(first);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
