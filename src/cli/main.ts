import { looksSmall } from './small-job.ts';

const argv = process.argv.slice(2);
// The worker thread starts while this thread parses the command line.
if (!looksSmall(argv)) void import('./run-job.ts').then(({ startWorker }) => startWorker(argv));
const { run } = await import('./program.ts');
process.exitCode = await run(argv);
