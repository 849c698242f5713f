import { given } from '../base/given.ts';
import { crashOf, problemsOf } from '../base/thrown.ts';
import type { Following } from '../commands/command-line/following.ts';
import { BEGUN } from '../commands/command-line/following.ts';
import type { Answer, Answered, Job, ProfileJob } from '../commands/command-line/job.ts';
import type { AnyInput } from '../commands/inputs/any-model.ts';
import { isModelFile } from '../commands/inputs/model-endings.ts';
import type { ProfileDocument } from '../commands/profile/profile-document.ts';
import type { WhatIfOptions } from '../commands/whatif/whatif-options.ts';
import type { ThreadModel } from '../models/threads/program/threads.ts';

/** Starts loading the modules of a command before its job is known. Load errors surface at the later import. */
export function load(command: Job['command']): void {
  const loaded = {
    predict: () => import('../commands/predict/predict.ts'),
    profile: () => import('../commands/profile/profile-program.ts'),
    convert: () => import('../commands/convert/convert.ts'),
    explore: () => import('../commands/explore/explore.ts'),
    verify: () => import('../commands/verify/net/verify.ts'),
    structure: () => import('../commands/structure/structure.ts'),
    whatif: () => import('../commands/whatif/whatif.ts'),
  }[command]();
  loaded.catch(() => {});
}

/**
 * Runs a job in a thread that executes user code. A model that ends its thread or throws an uncaught exception is
 * reported as a problem. The thread that starts this one must redirect its `process.stdout`.
 *
 * @param answered called exactly once
 */
export async function guardedAnswer(
  job: Job,
  following: Following,
  answered: (answer: Answered) => void,
): Promise<void> {
  const [{ guardModel, leftRunning, unhandledRejections }, { duringImport }] = await Promise.all([
    import('../commands/inputs/model-guard.ts'),
    import('../commands/inputs/build-phase.ts'),
  ]);
  guardModel(job.input, (end) => answered({ answer: end, warnings: [] }));
  const found = await answer(job, following);
  // Timers of the model may run here; the build limit applies to them, too.
  await duringImport(unhandledRejections);
  answered({ answer: found, warnings: leftRunning(job.input) });
}

/** Runs a job. Never throws: input problems and internal errors are returned as answers. */
export async function answer(job: Job, following: Following): Promise<Answer> {
  try {
    if (following.building !== undefined) {
      const { watchBuilds } = await import('../commands/inputs/build-phase.ts');
      watchBuilds(following.building);
    }
    if (job.command === 'whatif') {
      const [{ study }, { importModule }] = await Promise.all([
        import('../commands/whatif/whatif.ts'),
        import('../commands/command-line/import-module.ts'),
      ]);
      return { kind: 'study', document: await study(job.input, studyOptions(job.options, following), importModule) };
    }
    if (job.command === 'explore') {
      const [{ exploreFile }, { importModule }] = await Promise.all([
        import('../commands/explore/explore.ts'),
        import('../commands/command-line/import-module.ts'),
      ]);
      const { cancelled, explored } = following;
      const options = {
        ...job.options,
        begun: BEGUN,
        cancelled,
        ...(explored === undefined ? {} : { progress: explored }),
      };
      return { kind: 'space', document: await exploreFile(job.input, options, importModule) };
    }
    if (job.command === 'structure') {
      const [{ structure }, { importModule }] = await Promise.all([
        import('../commands/structure/structure.ts'),
        import('../commands/command-line/import-module.ts'),
      ]);
      const { cancelled, analysing } = following;
      const options = {
        ...job.options,
        begun: BEGUN,
        cancelled,
        ...(analysing === undefined ? {} : { analysing }),
      };
      return { kind: 'structure', document: await structure(job.input, options, importModule) };
    }
    if (job.command === 'profile') return { kind: 'profile', document: await profiled(job, following) };
    const { progress, cancelled, digestOf, offloadedRanks } = following;
    const options = { ...job.options, ...given({ progress, cancelled, digestOf, offloadedRanks }, FOLLOWED) };
    if (job.command === 'predict' && isModelFile(job.input)) {
      const { predictModelFile } = await import('../commands/predict/predict.ts');
      const { importModule } = await import('../commands/command-line/import-module.ts');
      return { kind: 'prediction', document: await predictModelFile(job.input, options, importModule) };
    }
    if (job.command === 'predict') {
      const { predict } = await import('../commands/predict/predict.ts');
      return { kind: 'prediction', document: predict(job.input, options) };
    }
    if (job.command === 'verify') {
      const given = await anyInputOf(job.input);
      const modules = isModelFile(job.input)
        ? (await import('../commands/inputs/local-modules.ts')).moduleFiles(job.input)
        : {};
      const withModules = <D extends { readonly inputs: object }>(document: D): D => ({
        ...document,
        inputs: { ...document.inputs, ...modules },
      });
      const [{ isThreadModel }, { checkOptions, inputKind }, { OPTIONS }] = await Promise.all([
        import('../models/threads/program/threads.ts'),
        import('../commands/inputs/check-options.ts'),
        import('../commands/inputs/option-table.ts'),
      ]);
      const kind = inputKind('verify', given, ['model', 'thread model', 'net', 'trace']);
      checkOptions('verifyCommand', OPTIONS.verifyCommand, kind, job.options as never, job.input);
      if (isThreadModel(given)) {
        const { threadVerifyJob } = await import('../commands/verify/threads/thread-verify-job.ts');
        return { kind: 'threads', document: withModules(threadVerifyJob(job, given, following)) };
      }
      const input = given as Exclude<typeof given, ThreadModel>;
      const { isProgram, programJob } = await import('../commands/verify/program/program-job.ts');
      if (isProgram(input, job.options))
        return { kind: 'program', document: withModules(programJob(job, input, following)) };
      const { verifyJob } = await import('../commands/verify/net/verify-job.ts');
      return { kind: 'verification', document: withModules(verifyJob(job, input, following)) };
    }
    const { convert } = await import('../commands/convert/convert.ts');
    const converted = convert(await anyInputOf(job.input), job.output, job.options, job.input);
    return { kind: 'conversion', result: converted };
  } catch (error) {
    const problems = problemsOf(error);
    return problems === undefined ? { kind: 'crash', crash: crashOf(error) } : { kind: 'problems', problems };
  }
}

const FOLLOWED = ['progress', 'cancelled', 'digestOf', 'offloadedRanks'] as const;

async function profiled({ input, options }: ProfileJob, following: Following): Promise<ProfileDocument> {
  const [{ profileModelFile, profileProgram }, { importModule }] = await Promise.all([
    import('../commands/profile/profile-program.ts'),
    import('../commands/command-line/import-module.ts'),
  ]);
  const { profile, ...simulation } = options;
  const { progress, cancelled, digestOf } = following;
  const followed = given({ progress, cancelled, digestOf }, ['progress', 'cancelled', 'digestOf']);
  return isModelFile(input)
    ? profileModelFile(input, { ...simulation, ...followed }, profile, importModule)
    : profileProgram(input, { ...simulation, ...followed }, profile);
}

/** Interval at which a study polls for cancellation, in milliseconds. */
const LOOK = 50;

function studyOptions(options: WhatIfOptions, { cancelled, studied }: Following): WhatIfOptions {
  const control = new AbortController();
  const timer = setInterval(() => {
    if (cancelled()) control.abort(new Error('ended by request'));
  }, LOOK);
  timer.unref();
  return {
    ...options,
    signal: control.signal,
    progress: (done, scenarios) => studied?.({ done, scenarios }),
  };
}

/** Loads the model or net if `path` is a module; returns other paths unchanged. */
async function anyInputOf(path: string): Promise<string | AnyInput> {
  if (!isModelFile(path)) return path;
  const [{ loadInput }, { importModule }] = await Promise.all([
    import('../commands/inputs/load-model.ts'),
    import('../commands/command-line/import-module.ts'),
  ]);
  return loadInput(path, importModule);
}
