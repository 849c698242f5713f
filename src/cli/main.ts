import { looksSmall } from './small-job.ts';

const argv = process.argv.slice(2);
// The thread starts while this one parses the command line.
if (!looksSmall(argv)) void import('./run-job.ts').then(({ startWorker }) => startWorker(argv));
const { run } = await import('./program.ts');
const code = await run(argv);
// A code that is set already is that of an output that could not be written.
process.exitCode ||= code;
