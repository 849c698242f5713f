import { didYouMean, fail, quote, shown } from '../../../base/problem.ts';
import { choicesOfNet } from '../../../models/program/compose/net-choices.ts';
import type { Net } from '../../../net/net.ts';
import { type AxisValue, partOf } from './axes.ts';
import { MODEL_PREFIX } from './study-axes.ts';

/** Axes of a composition of nets that chooses among models: `model.filter`. */
export const choiceAxes = (net: Net): string[] =>
  [...(choicesOfNet(net)?.models.keys() ?? [])].map((module) => MODEL_PREFIX + module);

/**
 * The composition with the models that axes name.
 *
 * @throws InputError WHAT009 for a model that the module cannot be. O(size of the net)
 */
export function chosenNet(net: Net, values: Readonly<Record<string, AxisValue>>): Net {
  const choices = choicesOfNet(net)!;
  const chosen = Object.entries(values).flatMap(([axis, value]): [string, string][] => {
    if (!axis.startsWith(MODEL_PREFIX)) return [];
    const module = axis.slice(MODEL_PREFIX.length);
    const models = choices.models.get(module)!;
    const name = String(value);
    if (!models.includes(name))
      fail(
        'WHAT009',
        `module ${quote(module)}: expected one of ${models.map((one) => quote(one)).join(', ')}, got ${shown(value)}.${didYouMean(name, models)}`,
        { part: partOf(axis) },
      );
    return [[module, name]];
  });
  return choices.with(Object.fromEntries(chosen));
}
