import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { profileRun } from '../src/commands/profile/profile.ts';
import { RunRecorder } from '../src/trace/run/run-recorder.ts';
import { writeRun } from '../src/trace/run/write-run.ts';

/*
 * Record of a long run: spans written per second, bytes per span, time of its profile, and the peak memory of both, each in
 * a process of its own: npx tsx bench/run-record.ts [SPANS] [PROCESSES] [ENDING]. Default: ten million spans of 64 processes,
 * .ftrun.
 */

/** Spans of a process in one iteration. */
const SPANS = 5;

/** Iterations of computing, a message to the next process, and a reduction that the slowest process delays. */
function write(path: string, spans: number, processes: number): void {
  const consumer = writeRun(path);
  const recorder = new RunRecorder(consumer, {
    program: 'bench',
    origin: 'simulated',
    product: 'bench',
    processes,
    nodes: Array.from({ length: Math.ceil(processes / 8) }, (_, k) => ({ name: `node${k}`, sockets: 1 })),
    nodeOf: Array.from({ length: processes }, (_, p) => Math.floor(p / 8)),
    socketOf: Array.from({ length: processes }, () => 0),
  });
  const iterations = Math.ceil(spans / (SPANS * processes));
  let begin = 0;
  for (let k = 1; k <= iterations; k++) {
    // Times without pattern, the same in every run.
    const work = (p: number): number => 1e-3 * (1 + ((k * 7919 + p * 104_729) % 1000) / 1000);
    const meet = begin + 2.1e-3;
    for (let p = 0; p < processes; p++) {
      const [ready, peer] = [begin + work(p), (p + 1) % processes];
      recorder.enter(
        p,
        [
          { name: 'solve', execution: 1 },
          { name: 'iteration', execution: k },
        ],
        'parallel',
      );
      recorder.begin(p, begin, undefined);
      recorder.span(p, 'computing', begin, ready);
      recorder.begin(p, ready, { name: 'MPI_Isend', bytes: 8192, peer, tag: 1 });
      recorder.span(p, 'overhead', ready, ready + 1e-6);
      recorder.message(p, peer, ready, ready + 1e-5, 8192, { tag: 1, call: 'MPI_Isend' });
      recorder.begin(p, ready + 1e-6, { name: 'MPI_Wait' });
      recorder.span(p, 'communicating', ready + 1e-6, ready + 1e-5);
      const collective = { operation: 'allreduce', execution: k, processes };
      recorder.begin(p, ready + 1e-5, { name: 'MPI_Allreduce', bytes: 8, collective });
      recorder.span(p, 'waiting', ready + 1e-5, meet);
      recorder.span(p, 'communicating', meet, meet + 2e-5);
    }
    begin = meet + 2e-5;
  }
  recorder.finish({ complete: true, time: begin, notes: [] }, []);
}

const [stage = '1e7', ...rest] = process.argv.slice(2);
if (stage === 'write' || stage === 'profile') {
  const [path = '', spans = '0', processes = '0'] = rest;
  const started = performance.now();
  if (stage === 'write') write(path, Number(spans), Number(processes));
  else profileRun(path, path.endsWith('.csv') ? { messages: path.replace(/csv$/, 'messages.csv') } : {});
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(JSON.stringify({ seconds, mebibytes: process.resourceUsage().maxRSS / 1024 }));
} else {
  const [spans, processes, ending] = [Number(stage), Number(rest[0] ?? 64), rest[1] ?? '.ftrun'];
  const folder = mkdtempSync(join(tmpdir(), 'bench-run-record-'));
  const path = join(folder, `run${ending}`);
  const measured = (name: string): { readonly seconds: number; readonly mebibytes: number } => {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), name, path, String(spans), String(processes)];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  try {
    const count = Math.ceil(spans / (SPANS * processes)) * SPANS * processes;
    const written = measured('write');
    const { size } = statSync(path);
    const profiled = measured('profile');
    console.log(`${count.toLocaleString('en')} spans of ${processes} processes, ${ending}`);
    console.log(
      `write    ${written.seconds.toFixed(2)} s, ${Math.round(count / written.seconds).toLocaleString('en')} spans/s`,
    );
    console.log(
      `         ${(size / count).toFixed(1)} B/span with calls and messages, peak ${written.mebibytes.toFixed(0)} MiB`,
    );
    console.log(`profile  ${profiled.seconds.toFixed(2)} s, peak ${profiled.mebibytes.toFixed(0)} MiB`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
