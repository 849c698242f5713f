import type { InputFile } from '../report/prediction.ts';
import { inputFile } from './inputs.ts';
import { localModules } from './local-modules.ts';

/** The files that a model's module imports by path. They are recorded because changing one of them may change the model. */
export function moduleFiles(model: string): { readonly members?: readonly InputFile[] } {
  const members = localModules(model).map(inputFile);
  return members.length === 0 ? {} : { members };
}
