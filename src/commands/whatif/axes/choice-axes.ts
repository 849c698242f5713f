import { InputError, type Problem } from '../../../base/problem.ts';
import { refusedChoice } from '../../../models/parameters.ts';
import { choicesOfNet } from '../../../models/program/compose/net-choices.ts';
import type { Net } from '../../../net/net.ts';
import { type Axis, type AxisValue, partOf, valuesOf } from './axes.ts';
import { MODEL_PREFIX } from './study-axes.ts';

/** Axes of a composition of nets that chooses among models: `model.filter`. */
export const choiceAxes = (net: Net): string[] =>
  [...(choicesOfNet(net)?.models.keys() ?? [])].map((module) => MODEL_PREFIX + module);

/**
 * Refuses names of models that a module cannot be, before anything runs: no scenario with such a name is possible, whatever the
 * other axes are, as with an axis of an unknown name. O(values of these axes).
 *
 * @param namesOf the models among which an axis chooses, by the name of the module
 * @throws InputError WHAT009 with all problems, and the nearest name of each
 */
export function assertChoices(axes: readonly Axis[], namesOf: (module: string) => readonly string[] | undefined): void {
  const problems = axes.flatMap((axis): Problem[] => {
    const module = axis.name.startsWith(MODEL_PREFIX) ? axis.name.slice(MODEL_PREFIX.length) : undefined;
    const names = module === undefined ? undefined : namesOf(module);
    if (names === undefined) return [];
    return valuesOf(axis).flatMap((value): Problem[] => {
      const message = refusedChoice(module!, names, value);
      return message === undefined ? [] : [{ code: 'WHAT009', message, place: { part: partOf(axis.name) } }];
    });
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** The composition with the models that axes name, which are known to be models of their modules. O(size of the net) */
export function chosenNet(net: Net, values: Readonly<Record<string, AxisValue>>): Net {
  const chosen = Object.entries(values).flatMap(([axis, value]): [string, string][] =>
    axis.startsWith(MODEL_PREFIX) ? [[axis.slice(MODEL_PREFIX.length), String(value)]] : [],
  );
  return choicesOfNet(net)!.with(Object.fromEntries(chosen));
}
