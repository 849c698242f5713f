import { looksSmall } from './small-job.ts';

const argv = process.argv.slice(2);
// The worker thread starts while this thread parses the command line.
if (!looksSmall(argv)) void import('./run-job.ts').then(({ startWorker }) => startWorker(argv));
const { run } = await import('./program.ts');
const code = await run(argv);
// An exit code that is already set reports a failed write to an output stream.
process.exitCode ||= code;
