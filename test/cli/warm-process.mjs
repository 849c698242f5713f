import { readdirSync } from 'node:fs';

/*
 * Runs commands of the built command line one after the other, each job in this thread. Everything is loaded, and compiled by
 * V8, once. warm.ts sends the commands and decides which ones may run here.
 */
const dist = new URL('../../dist/cli/', import.meta.url);

/** The file of the bundle for a module that is loaded on demand; its name ends with a hash. */
const bundled = (name) =>
  import(
    new URL(
      readdirSync(dist).find((file) => new RegExp(`^${name}-[0-9A-Z]+\\.js$`).test(file)),
      dist,
    )
  );

const { run } = await bundled('program');
const { answer } = await bundled('answer');

/** As a worker thread does: the result is cloned on its way, so that a command cannot rely on more. */
async function runJob(job) {
  const cancelled = () => false;
  return { answer: structuredClone(await answer(job, { cancelled })) };
}

/** Output of the command that runs. */
let output;
for (const name of ['stdout', 'stderr'])
  process[name].write = (text, ...rest) => {
    output[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
    rest.findLast((one) => typeof one === 'function')?.();
    return true;
  };

const send = process.send.bind(process);
// Commands take a process with this function for one that is watched for limits.
delete process.send;
process.on('disconnect', () => process.exit());

/** Time limits and elapsed times count from the start of a command. */
const now = performance.now.bind(performance);
let start = now();
performance.now = () => now() - start;

const streams = [process.stdout, process.stderr];
process.on('message', async ({ main, args, cwd, env }) => {
  start = now();
  output = { stdout: '', stderr: '' };
  process.chdir(cwd);
  process.env = env;
  process.argv = [process.execPath, main, ...args];
  const code = await run(args, { runJob });
  for (const stream of streams) stream.removeAllListeners('error');
  process.removeAllListeners('exit');
  send({ code, signal: null, ...output });
});
