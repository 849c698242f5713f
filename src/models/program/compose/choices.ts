import { didYouMean, quote } from '../../../base/problem.ts';
import type { Parameters } from '../../parameters.ts';
import type { Report } from './connect.ts';

/** A model of whatever kind, with parameters. */
interface Adjustable {
  readonly name: string;
  readonly params: Readonly<Parameters>;
}

/** A module that is one of several models. */
export interface Alternatives<M extends Adjustable> {
  readonly name: string;
  /** Models with the same interface; with several, a parameter with the module's name chooses one. */
  readonly choices: readonly M[];
}

/** Parameters of all modules; with a choice of models, its parameter and those of every model. */
export function parametersOf(parts: readonly Alternatives<Adjustable>[]): Parameters {
  const params: Record<string, Parameters[string]> = {};
  for (const part of parts) {
    if (part.choices.length > 1) params[part.name] = part.choices[0]!.name;
    for (const model of part.choices)
      for (const [key, value] of Object.entries(model.params)) params[`${prefixOf(part, model)}${key}`] = value;
  }
  return params;
}

/** `reader.`, or with a choice of models `filter.blur.`: the same parameter has another default in each. */
const prefixOf = ({ name, choices }: Alternatives<Adjustable>, model: Adjustable): string =>
  choices.length > 1 ? `${name}.${model.name}.` : `${name}.`;

/** The reason why no model of a choice has a name; undefined if one has, or if the parameter chooses nothing. */
export function refusedChoice(
  parts: readonly Alternatives<Adjustable>[],
  param: string,
  value: unknown,
): string | undefined {
  const part = parts.find(({ name, choices }) => name === param && choices.length > 1);
  const names = part?.choices.map((model) => model.name);
  if (names === undefined || names.includes(value as string)) return undefined;
  return `module ${quote(param)}: expected one of ${names.map((name) => quote(name)).join(', ')}, got ${JSON.stringify(value)}.${didYouMean(String(value), names)}`;
}

/** The model of a module with its share of the parameters. */
export function chosen<M extends Adjustable & { with(params: never): M }>(
  part: Alternatives<M>,
  values: Parameters,
): M {
  const { name, choices } = part;
  const model = choices.find((one) => one.name === values[name]) ?? choices[0]!;
  const own = Object.keys(model.params).map((key) => [key, values[`${prefixOf(part, model)}${key}`]]);
  return model.with(Object.fromEntries(own) as never);
}

/** The parameters that modules are verified with, other than their number of ranks or workers. */
export function verifiedParameters(
  parts: readonly Alternatives<Adjustable & { readonly verifyWith: Readonly<Record<string, unknown>> }>[],
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const part of parts)
    for (const model of part.choices)
      for (const [key, value] of Object.entries(model.verifyWith))
        if (Object.hasOwn(model.params, key)) found[`${prefixOf(part, model)}${key}`] = value;
  return found;
}

/** Reports models that cannot take each other's place, because their labels differ. */
export function checkChoices<L>(
  { name, choices }: Alternatives<Adjustable & { readonly interface: Readonly<Record<string, L>> }>,
  textOf: (label: L) => string,
  report: Report,
): void {
  const [first, ...others] = choices;
  const names = choices.map((model) => model.name);
  const twice = names.find((one, k) => names.indexOf(one) < k);
  if (twice !== undefined) report('MODEL041', `module ${quote(name)}: two models are called ${quote(twice)}`);
  for (const other of others) {
    const labels = [...new Set([...Object.keys(first!.interface), ...Object.keys(other.interface)])];
    const text = (model: typeof other, label: string): string => {
      const own = model.interface[label];
      return own === undefined ? 'no such label' : textOf(own);
    };
    for (const label of labels)
      if (text(first!, label) !== text(other, label))
        report(
          'MODEL041',
          `module ${quote(name)}: label ${quote(label)} is ${text(first!, label)} in ${quote(first!.name)} and ${text(other, label)} in ${quote(other.name)}`,
        );
  }
}
