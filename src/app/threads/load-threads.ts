import { fail, quote } from '../../base/problem.ts';
import { isThreadModel, type ThreadModel } from '../../models/threads/program/threads.ts';
import { type Import, imported } from '../load-model.ts';

/**
 * The default export of a module if it is a thread model, else its only exported thread model.
 *
 * @throws InputError APP001 not found, APP021 the module throws, APP022 no thread model, APP023 several without a default
 */
export async function loadThreads(path: string, load?: Import): Promise<ThreadModel> {
  const module = await imported(path, load);
  if (isThreadModel(module['default'])) return module['default'];
  const models = [...new Set(Object.values(module).filter(isThreadModel))];
  if (models.length === 1) return models[0]!;
  if (models.length === 0)
    fail('APP022', 'exports no thread model: `export default threads({ … })` makes one', { file: path });
  const all = models.map(({ name }) => quote(name)).join(', ');
  return fail('APP023', `exports ${models.length} models (${all}) but no default: choose one with export default`, {
    file: path,
  });
}
