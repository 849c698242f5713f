import { looksSmall } from './small-job.ts';

const argv = process.argv.slice(2);
// The thread starts while this one parses the command line.
if (!looksSmall(argv)) void import('./run-job.ts').then(({ startWorker }) => startWorker(argv));
// No await at the top: the bundle is a script (scripts/bundle.mjs).
void import('./program.ts').then(async ({ run }) => {
  const code = await run(argv);
  // A code that is set already is that of an output that could not be written.
  process.exitCode ||= code;
});
