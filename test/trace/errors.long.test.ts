import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { LOST_COMMUNICATORS } from '../../src/trace/ti/diagnostics.ts';
import { folder, meaning, open, parse, problems, problemsOf } from './support.ts';

/** A trace of two ranks with the given line of rank 0 as line 2. */
const second = (words: string): string => `0 init\n${words}\n1 init\n`;

describe('lines', () => {
  test.each([
    ['x compute 1', 'TI010 2:1', 'beginning of the line, got "x"'],
    ['-1 compute 1', 'TI010 2:1', 'beginning of the line, got "-1"'],
    ['0x1 compute 1', 'TI010 2:1', 'beginning of the line, got "0x1"'],
    ['  0', 'TI020 2:3', 'rank 0 has no action'],
    ['0 comptue 1', 'TI020 2:3', 'Did you mean "compute"?'],
    ['0 COMPUTE 1', 'TI020 2:3', 'Did you mean "compute"?'],
    ['0 Ibcast 1 2', 'TI021 2:3', 'writes it as ibcast'],
    ['0 ialltoallw 1 2', 'TI021 2:3', 'or as ialltoallv'],
    ['0 wait 0 0 -779', 'TI030 2', 'no ibarrier outstanding'],
    ['0 wait 0 0 -778', 'TI025 2:12', 'belongs to no non-blocking collective'],
    ['0 test 0 0 -3335', 'TI021 2:12', 'a test of ibcast cannot be replayed'],
    ['0 waitAny 1 2', 'TI022 2:3', 'waitAny count'],
    ['0 waitany 1', 'TI021 2:3', 'writes it as waitAny'],
    ['0 Startall', 'TI021 2:3', 'use isend and irecv'],
    ['0 testall', 'TI021 2:3', 'does not identify its requests'],
    ['0 ssend 1 0 1', 'TI021 2:3', 'writes it as Ssend'],
    ['0 irsend 1 0 1', 'TI021 2:3', 'ready sends as send and isend'],
    ['0 win_fence', 'TI021 2:3', 'writes it as Win_fence'],
    ['0 put 1', 'TI021 2:3', 'writes it as Put'],
    ['0 Put 2 0 8 1', 'TI024 2:7', 'dst "2" is out of range'],
    ['0 Get 1 0', 'TI022 2:3', 'expected "<rank> Get dst tag count [type]"'],
    ['0 Win_fence 1', 'TI022 2:3', 'cannot have 1 argument'],
    ['0 Rput 1 0 8 1', 'TI021 2:3', 'belongs between locks'],
    ['0 Win_lock', 'TI021 2:3', 'the rank whose window'],
    ['0 Win_post', 'TI021 2:3', 'the group of its line'],
    ['0 Fetch_and_op 1 0 1', 'TI021 2:3', 'locks the memory of its target'],
    ['0 Win_create', 'TI021 2:3', 'windows have no lines'],
    ['0 compute nan', 'TI023 2:11', 'flops "nan" is not a number'],
    ['0 compute  1x', 'TI023 2:12', 'is not a number'],
    ['0 compute 0x10', 'TI023 2:11', 'is not a number'],
    ['0 compute 1e', 'TI023 2:11', 'is not a number'],
    ['0 compute 1e5.5', 'TI023 2:11', 'is not a number'],
    ['0 compute .', 'TI023 2:11', 'is not a number'],
    ['0 compute -', 'TI023 2:11', 'is not a number'],
    ['0 compute inf', 'TI023 2:11', 'is not a number'],
    ['0 compute 1e999', 'TI023 2:11', 'is not finite'],
    ['0 compute -5', 'TI023 2:11', 'is negative'],
    ['0 sleep -5', 'TI023 2:9', 'seconds "-5" is negative'],
    ['0 send 1 0 -1', 'TI023 2:12', 'count "-1" is negative'],
    ['0 send 1 0 1.5', 'TI023 2:12', 'must be an integer'],
    ['0 send 0.5 0 1', 'TI023 2:8', 'must be an integer'],
    ['0 send 2 0 1', 'TI024 2:8', 'dst "2" is out of range: ranks are 0 … 1'],
    ['0 send -555 0 1', 'TI024 2:8', 'out of range'],
    ['0 recv 2 0 1', 'TI024 2:8', '-555 any'],
    ['0 recv -444 0 1', 'TI024 2:8', 'out of range'],
    ['0 bcast 1 2', 'TI024 2:11', 'root "2"'],
    ['0 send 1 -444 1', 'TI025 2:10', 'out of range'],
    ['0 recv 1 -555 1', 'TI025 2:10', '-444 any'],
    ['0 send 1 2147483648 1', 'TI025 2:10', 'out of range'],
    ['0 send 1 0 1 60', 'TI026 2:14', 'expected 0 … 59'],
    ['0 send 1 0 1 -1', 'TI026 2:14', 'not a datatype'],
    ['0 bcast 1 0 1.5', 'TI023 2:13', 'must be an integer'],
    ['0 send 1 0 9007199254740993', 'TI027 2:12', 'exceeds 2^53'],
    ['0 send 1 0 9007199254740991 0', 'TI027 2:12', 'exceeds 2^53'],
    ['0 alltoall 1 9007199254740991 0 0', 'TI027 2:14', 'exceeds 2^53'],
    ['0 wait 0 1 0', 'TI030 2', 'no request with source 0, destination 1, tag 0'],
    ['0 test 0 1 0', 'TI030 2', 'no request'],
    ['0 send\u0001 1 0 1', 'TI003 2:7', 'control character (byte 1)'],
    ['0 compute 1\u0000', 'TI003 2:12', 'control character (byte 0)'],
  ])('the line "%s" is refused with its place', (words, at, message) => {
    // A NUL byte near the beginning is detected before the trace is read.
    const found = problems(words.includes('\0') ? `0 init\n${'# x\n'.repeat(20_000)}${words}\n` : second(words));
    expect(found.at).toEqual([words.includes('\0') ? at.replace(' 2:', ' 20002:') : at]);
    expect(found.messages[0]).toContain(message);
  });

  test('long lines', () => {
    const blanks = ' '.repeat(5000);
    expect(problems(`0 init\n${blanks}x\n`).at).toEqual(['TI010 2:5001']);
    expect(problems(`0 init\n0${blanks}${'y'.repeat(1e5)}\n`).at).toEqual(['TI020 2:5002']);
    expect(problems(`0 init\n0 send${' 1'.repeat(1e6)}\n`).messages[0]).toContain('1000000 arguments');
    expect(problems(`0 init\n0 compute ${'1'.repeat(5000)}\n`).messages[0]).toMatch(/^flops "1+…" is not finite.$/);
  });

  test('all problems are listed, up to 20', () => {
    expect(problems('0 init\n0 foo\n0 send 9 9 9\n0 bar\n').at).toEqual(['TI020 2:3', 'TI024 3:8', 'TI020 4:3']);
    expect(problems(`0 init\n${'0 foo\n'.repeat(50)}`).at).toHaveLength(20);
  });

  test('a rank beyond the given number, and a rank without lines', () => {
    expect(problems('0 init\n1 init\n 2 init\n', { ranks: 2 })).toEqual({
      at: ['TI011 3:2'],
      messages: ['rank 2 is out of range: the trace has 2 ranks, 0 … 1.'],
    });
    expect(problems('0 init\n12 init\n').messages).toEqual([
      'the trace has 13 ranks, but no line of rank 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, and 1 more.',
    ]);
    expect(problems('0 init\n', { ranks: 2 }).at).toEqual(['TI012']);
    expect(problems('0 init\n99999999999 init\n').at).toEqual(['TI011 2']);
    expect(() => parse('0 init\n', { ranks: 0 })).toThrow(RangeError);
  });

  test('a bad line does not invalidate later waits and collectives', () => {
    expect(problems('0 isend 9 0 1\n0 wait 0 9 0\n0 bcast x\n0 barrier\n1 bcast 1\n1 barrier\n').at).toEqual([
      'TI024 1:9',
      'TI024 2:10',
      'TI023 3:9',
    ]);
  });
});

describe('requests', () => {
  const post = '0 isend 0 1 5\n';
  const wait = '0 wait 0 0 1\n';
  const testOf = '0 test 0 0 1\n';
  test.each([
    ['as many waits as requests', post + post + wait + wait, []],
    ['a wait too many', post + wait + wait, ['TI030 3']],
    ['nothing is outstanding after waitall', `${post}0 waitall\n${wait}`, ['TI030 3']],
    ['one that a partial waitall completed', `${post}${post}0 waitall 1\n${wait}`, []],
    ['and only once', `${post}${post}0 waitall 1\n${wait}${wait}`, ['TI030 5']],
    ['one that a full waitall completed', `${post}0 waitall 1\n${wait}`, ['TI030 3']],
    ['the same while another is outstanding', `${post}0 waitall 1\n0 isend 0 2 5\n${wait}0 wait 0 0 2\n`, []],
    ['a test of one that a waitall completed', `${post}0 waitall 1\n${testOf}`, []],
    ['posted again after waitall', `${post}0 waitall 1\n${post}${wait}`, []],
    ['a test may have ended it', post + testOf + wait + wait, []],
    ['tests repeat', post + testOf + testOf + testOf + wait, []],
    ['a test after the wait', post + wait + testOf, ['TI030 3']],
    ['another tag', `${post}0 wait 0 0 2\n`, ['TI030 2']],
    ['another rank', `${post}1 wait 0 0 1\n`, ['TI030 2']],
    ['the wildcards are part of the name', '0 irecv -555 -444 1\n0 wait -555 0 -444\n', []],
    ['a wildcard is not any name', '0 irecv -555 -444 1\n0 wait 0 0 1\n', ['TI030 2']],
    ["the tracer's any source is any source", '0 irecv -333 1 1\n0 wait -555 0 1\n', []],
    ['many rounds', `${(post + wait).repeat(50)}${wait}`, ['TI030 101']],
  ])('requests and their waits are counted: %s', (_, lines, expected) => {
    const text = `${lines}0 finalize\n1 init\n`;
    if (expected.length === 0) parse(text);
    else expect(problems(text).at).toEqual(expected);
  });
});

describe('collectives', () => {
  test('a different kind: both ranks, lines and kinds are reported', () => {
    const files = folder({ 'a.ti': '0 init\n0 barrier\n0 bcast 1\n1 init\n1 barrier\n1 allreduce 1 1\n' });
    const file = files.path('a.ti');
    expect(problemsOf(() => open(file))).toEqual({
      at: ['TI031 6'],
      messages: [
        `collective 2 of rank 1 is allreduce, but that of rank 0 (${file}:3) is bcast with root 0: all ranks must call the same collectives in the same order. ${LOST_COMMUNICATORS}`,
      ],
    });
    files.remove();
  });

  test('a different root, also after many collectives', () => {
    const rounds = (rank: number): string => `${rank} bcast 8 1\n${rank} barrier\n`.repeat(300);
    expect(problems(`${rounds(0)}0 bcast 8 0\n${rounds(1)}1 bcast 8 1\n`).at).toEqual(['TI031 1202']);
    expect(parse(`${rounds(0)}0 bcast 8 0\n${rounds(1)}1 bcast 9 0\n`).ranks).toBe(2);
  });

  test('a rank with fewer collectives', () => {
    const { at, messages } = problems('0 barrier\n0 bcast 1\n1 barrier\n');
    expect(at).toEqual(['TI032']);
    expect(messages[0]).toMatch(
      /^rank 1 ends after 1 collectives, but rank 0 \(.*trace.ti:2\) continues with bcast with root 0:/,
    );
  });

  test('more than 255 different collectives', () => {
    const rank = (r: number): string => Array.from({ length: 300 }, (_, k) => `${r} bcast 1 ${k}\n`).join('');
    const text = Array.from({ length: 300 }, (_, r) => rank(r)).join('');
    expect(parse(text).ranks).toBe(300);
    expect(problems(text.replace(/7 bcast 1 299\n8/, '7 bcast 1 298\n8')).at).toEqual(['TI031 2400']);
  });
});

describe('warnings', () => {
  test("no finalize, lines after finalize, the tracer's any source", () => {
    const files = folder({ t: '0 init\n0 recv -333 0 1\n0 finalize\n0 compute 5\n0 compute 6\n1 init\n' });
    const { trace } = open(files.path('t'));
    const codes = trace.warnings.map(({ code, place }) => `${code} ${place?.line ?? ''}`);
    expect(codes).toEqual(['TI042 2', 'TI041 4', 'TI040 ']);
    trace.close();
    files.remove();
  });

  test('the line of a rank that continues after finalize is reported each time', () => {
    const turn = '0 compute 1\n1 compute 1\n';
    const files = folder({ t: `${turn.repeat(3)}0 finalize\n${turn}1 finalize\n` });
    const { trace } = open(files.path('t'));
    expect(trace.warnings.map(({ code, place }) => `${code} ${place?.line}`)).toEqual(['TI041 8']);
    trace.close();
    files.remove();
  });
});

describe('files', () => {
  const one = (content: string | Uint8Array): string[] => problems(content).at;

  test('empty, without actions, binary, not a trace', () => {
    expect(one('')).toEqual(['TI002']);
    expect(one('\n\n# nothing\n \n')).toEqual(['TI002']);
    expect(one(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]))).toEqual(['TI003']);
    expect(one('0 init\n\0')).toEqual(['TI003']);
    expect(one('<?xml version="1.0"?>\n<platform/>\n')).toEqual(['TI006 1', 'TI006 2']);
    expect(one(gzipSync(''))).toEqual(['TI002']);
  });

  test('missing, a directory', () => {
    expect(problemsOf(() => open('/no/such/file'))).toEqual({
      at: ['TI001'],
      messages: ['cannot read the file: no such file or directory.'],
    });
    expect(problemsOf(() => open(tmpdir())).at).toEqual(['TI001']);
  });

  test('a long line is rejected, in plain and compressed files', () => {
    const limits = { lineBytes: 100, blockBytes: 64 };
    const long = `0 init\n0 compute ${'1'.repeat(200)}\n`;
    expect(problems(long, limits).at).toEqual(['TI004 2']);
    expect(problems(gzipSync(long), limits).at).toEqual(['TI004 2']);
    expect(problems(`#${'x'.repeat(200)}`, limits).at).toEqual(['TI004 1']);
    expect(parse(`0 init\n0 compute ${'1'.repeat(80)}\n`, limits).actions).toBe(2);
    // Also for a line far longer than all buffers.
    expect(problems(`0 init\n0 compute 1${' '.repeat(20e6)}\n`).at).toEqual(['TI004 2']);
  });

  test('damaged, truncated and too large gzip data', () => {
    const whole = gzipSync('0 compute 1\n'.repeat(1000));
    expect(one(whole.subarray(0, whole.length - 20))).toEqual(['TI005']);
    expect(one(Buffer.concat([whole.subarray(0, 30), Buffer.from('garbage'), whole.subarray(37)]))).toEqual(['TI005']);
    expect(problems(whole, { maxBytes: 1000 }).at).toEqual(['TI005']);
    expect(problems(gzipSync(whole)).at[0]).toMatch(/^TI00[36]/);
  });

  test('large gzip data is decompressed as a stream', () => {
    const line = (k: number): string => `0 compute ${(k * 7919) % 1e9}\n`;
    const text = Array.from({ length: 1.2e6 }, (_, k) => line(k)).join('');
    const packed = gzipSync(text, { level: 1 });
    expect(text.length).toBeGreaterThan(1 << 24);
    const files = folder({
      a: packed,
      cut: packed.subarray(0, packed.length - 9),
      bad: packed.map((byte, at) => (at === 1e6 ? byte ^ 255 : byte)),
    });
    const { trace } = open(files.path('a'));
    expect(trace.actions).toBe(1.2e6);
    expect(trace.locate(1_000_000).text).toBe(line(1_000_000).trim());
    trace.close();
    expect(problemsOf(() => open(files.path('cut'))).at).toEqual(['TI005']);
    expect(problemsOf(() => open(files.path('bad'))).at).toEqual(['TI005']);
    expect(problemsOf(() => open(files.path('a'), { maxBytes: 1e7 })).at).toEqual(['TI005']);
    files.remove();
  });

  test('a gzip bomb of zeros is rejected', () => {
    expect(one(gzipSync(Buffer.alloc(100e6)))).toEqual(['TI003']);
  });

  test('a file changed after reading is detected', () => {
    const files = folder({ t: '0 compute 1\n0 compute 2\n' });
    const { trace } = open(files.path('t'));
    writeFileSync(files.path('t'), '0 compute 1\n0 compute 2222\n');
    expect(problemsOf(() => trace.locate(1)).at).toEqual(['TI007']);
    trace.close();
    files.remove();
  });

  test('temporary files are removed after reading, in any case', () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('foretoken-') && name.endsWith('.tmp'));
    const files = folder({ t: gzipSync('0 compute 1\n'.repeat(5000)) });
    const { trace } = open(files.path('t'), { packedBytes: 0 });
    expect(problems(gzipSync('0 foo')).at).toEqual(['TI020 1:3']);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('foretoken-') && name.endsWith('.tmp'))).toEqual(
      before,
    );
    trace.close();
    files.remove();
  });
});

describe('listings', () => {
  const list = (content: string, more: Record<string, string> = {}): { at: string[]; messages: string[] } => {
    const files = folder({ list: content, r0: '0 init\n0 compute 1\n', r1: '1 init\n1 compute 2\n', ...more });
    try {
      return problemsOf(() => open(files.path('list')));
    } finally {
      files.remove();
    }
  };

  test('a missing member, a member that is not a trace, a listing of listings', () => {
    expect(list('# ranks\nr0\n\nr2\n')).toMatchObject({ at: ['TI006 4'] });
    expect(list('r0\nnested\n', { nested: 'r1\n' }).at).toEqual(['TI006 1']);
    expect(list('r0\nempty\n', { empty: '' }).at).toEqual(['TI002']);
    expect(list('nothing\n').messages[0]).toBe(
      '"nothing" is neither "<rank> <action> …" (a trace) nor a file (a listing of trace files).',
    );
  });

  test('a listing that contains itself, directly and through another', () => {
    expect(list('r0\nlist\n')).toEqual({ at: ['TI006 2'], messages: ['the listing contains itself.'] });
    expect(list('./list\n').at).toEqual(['TI006 1']);
    expect(list('other\n', { other: 'list\n' }).at).toEqual(['TI006 1']);
  });

  test('members that are no regular files are refused at their line, and never opened', () => {
    const files = folder({ list: 'pipe\nfolder\n/dev/null\nr0\n', r0: '0 init\n' });
    mkdirSync(files.path('folder'));
    execFileSync('mkfifo', [files.path('pipe')]);
    const { at, messages } = problemsOf(() => open(files.path('list')));
    expect(at).toEqual(['TI006 1', 'TI006 2', 'TI006 3']);
    expect(messages.map((message) => message.split(', got ')[1])).toEqual([
      'a named pipe.',
      'a directory.',
      'a device.',
    ]);
    files.remove();
  });

  test('too many lines are refused before a file is opened', () => {
    const limit = 2 ** 19;
    const files = folder({
      list: `pipe\n${'#\n'.repeat(limit)}`,
      good: `r0\n${'#\n'.repeat(limit - 1)}`,
      r0: '0 init\n',
    });
    execFileSync('mkfifo', [files.path('pipe')]);
    const { messages } = problemsOf(() => open(files.path('list')));
    expect(messages).toEqual([`the listing has ${limit + 1} lines: expected at most ${limit}.`]);
    open(files.path('good')).trace.close();
    files.remove();
  });

  test.each([
    ['in', [], []],
    ['sub/in', [], []],
    ['inner-link', [], []],
    ['sub/../in', [], []],
    ['../out', [], ['TI006 1']],
    ['sub/../../out', [], ['TI006 1']],
    ['outer-link', [], ['TI006 1']],
    ['linked-folder/out', [], ['TI006 1']],
    // Names outside are not even looked up: the message is the same for files that exist and others.
    ['/nowhere', ['TI006 1'], ['TI006 1']],
  ])('confine, member %s', (member, free, confined) => {
    const files = folder({});
    for (const name of ['home/sub', 'other']) mkdirSync(files.path(name), { recursive: true });
    for (const name of ['out', 'other/out', 'home/in', 'home/sub/in']) writeFileSync(files.path(name), '0 init\n');
    symlinkSync('sub/in', files.path('home/inner-link'));
    symlinkSync('../out', files.path('home/outer-link'));
    symlinkSync('../other', files.path('home/linked-folder'));
    writeFileSync(files.path('home/list'), `${member}\n`);
    const read = (confine: boolean) => (): void => open(files.path('home/list'), { confine }).trace.close();
    const found = (confine: boolean): string[] => {
      try {
        read(confine)();
        return [];
      } catch {
        return problemsOf(read(confine)).at;
      }
    };
    expect([found(false), found(true)]).toEqual([free, confined]);
    files.remove();
  });

  test('the k-th file contains rank k', () => {
    expect(list('r1\nr0\n')).toMatchObject({ at: ['TI013 1:1', 'TI013 2:1', 'TI013 1:1', 'TI013 2:1'] });
    expect(list('r0\nr1\n', { r1: '1 init\n\n0 compute 2\n' }).at).toEqual(['TI013 3:1']);
  });

  test('a single member is a merged file; a different number of ranks than given is rejected', () => {
    const files = folder({ list: 'all', all: '0 init\n1 init\n', two: 'a\nb\n', a: '0 init', b: '1 init' });
    expect(meaning(open(files.path('list'))).ranks).toBe(2);
    expect(meaning(open(files.path('two'), { ranks: 2 })).ranks).toBe(2);
    expect(problemsOf(() => open(files.path('two'), { ranks: 3 })).at).toEqual(['TI012']);
    mkdirSync(files.path('folder'));
    writeFileSync(files.path('list'), 'folder\n');
    expect(problemsOf(() => open(files.path('list'))).at).toEqual(['TI006 1']);
    files.remove();
  });
});

describe('streams', () => {
  const read = new URL('../../src/trace/ti/read.ts', import.meta.url).href;
  const script = `
    import { readTiTrace } from ${JSON.stringify(read)};
    let n = 0;
    try {
      const t = readTiTrace(process.argv.at(-1), { encode: () => n++ });
      console.log(t.ranks, t.actions, n, t.locate(t.start[1]).text);
    } catch (e) { console.log(e.message); }`;
  const run = (path: string, input: string | Uint8Array): string => {
    const tsx = ['--import', 'tsx', '--input-type=module', '-e', script, path];
    return execFileSync(process.execPath, tsx, { input, encoding: 'utf8' }).trim();
  };

  test('standard input, plain and compressed', () => {
    const text = '0 init\n0 compute 1\n1 compute 2\n';
    expect(run('-', text)).toBe('2 3 4 1 compute 2');
    expect(run('-', gzipSync(text))).toBe('2 3 4 1 compute 2');
    expect(run('-', '')).toMatch(/^<stdin>: TI002/);
    expect(run('-', '0 foo')).toMatch(/^<stdin>:1:3: TI020/);
  });

  test.skipIf(process.platform === 'win32')('a named pipe, devices', () => {
    const files = folder({});
    const pipe = files.path('pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', `printf '0 init\\n1 compute 2\\n' > ${pipe}`]);
    expect(run(pipe, '')).toBe('2 2 3 1 compute 2');
    writer.kill();
    files.remove();
    expect(run('/dev/zero', '')).toMatch(/TI003/);
    expect(run('/dev/null', '')).toMatch(/TI002/);
  });
});
