import { isModelFile } from '../app/model-endings.ts';
import type { InputError } from '../base/problem.ts';
import type { ProgramModel } from '../models/program/model.ts';
import type { Following } from './following.ts';
import type { Answer, Job } from './job.ts';

/** Loads what a command's jobs need, before there is one; whoever needs it finds it, or what is wrong with it. */
export function load(command: Job['command']): void {
  const loaded = {
    predict: () => import('../app/predict/predict.ts'),
    convert: () => import('../app/convert.ts'),
    explore: () => import('../app/explore/explore-file.ts'),
    verify: () => import('../app/verify/verify.ts'),
    structure: () => import('../app/structure/structure.ts'),
  }[command]();
  loaded.catch(() => {});
}

/** Does a job. Throws nothing: problems of the input and faults of ours are answers, too. */
export async function answer(job: Job, following: Following): Promise<Answer> {
  try {
    if (job.command === 'explore') {
      const [{ exploreFile }, { importModule }] = await Promise.all([
        import('../app/explore/explore-file.ts'),
        import('./import-module.ts'),
      ]);
      const { cancelled, explored } = following;
      const options = { ...job.options, cancelled, ...(explored === undefined ? {} : { progress: explored }) };
      return { kind: 'space', document: await exploreFile(job.input, options, importModule) };
    }
    if (job.command === 'structure') {
      const [{ structure }, { importModule }] = await Promise.all([
        import('../app/structure/structure.ts'),
        import('./import-module.ts'),
      ]);
      return { kind: 'structure', document: await structure(job.input, job.options, importModule) };
    }
    const options = { ...job.options, ...following };
    if (job.command === 'predict' && isModelFile(job.input)) {
      const { predictModelFile } = await import('../app/predict/predict-model-file.ts');
      const { importModule } = await import('./import-module.ts');
      return { kind: 'prediction', document: await predictModelFile(job.input, options, importModule) };
    }
    if (job.command === 'predict') {
      const { predict } = await import('../app/predict/predict.ts');
      return { kind: 'prediction', document: predict(job.input, options) };
    }
    if (job.command === 'verify') {
      const input = await inputOf(job.input);
      const { isProgram, programJob } = await import('./program-job.ts');
      const modules = isModelFile(job.input) ? (await import('../app/module-files.ts')).moduleFiles(job.input) : {};
      const withModules = <D extends { readonly inputs: object }>(document: D): D => ({
        ...document,
        inputs: { ...document.inputs, ...modules },
      });
      if (isProgram(input, job.options))
        return { kind: 'program', document: withModules(programJob(job, input, following)) };
      const { verifyJob } = await import('./verify-job.ts');
      return { kind: 'verification', document: withModules(verifyJob(job, input, following)) };
    }
    const { convert } = await import('../app/convert.ts');
    return { kind: 'conversion', result: convert(await inputOf(job.input), job.output, options) };
  } catch (error) {
    // Models come with a copy of the package of their own.
    if (error instanceof Error && error.name === 'InputError')
      return { kind: 'problems', problems: (error as InputError).problems };
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { kind: 'crash', crash: { message, stack: stack ?? message } };
  }
}

/** A file, or the model that it makes. */
async function inputOf(path: string): Promise<string | ProgramModel> {
  if (!isModelFile(path)) return path;
  const [{ loadModel }, { importModule }] = await Promise.all([
    import('../app/load-model.ts'),
    import('./import-module.ts'),
  ]);
  return loadModel(path, importModule);
}
