import { isAs } from '../../../base/options.ts';
import { didYouMean, fail, InputError, quote, shown } from '../../../base/problem.ts';
import { type Adjustable, checkedParameters, choicesIn, type Parameters } from '../../parameters.ts';
import type { Site } from '../../site.ts';
import type { Report } from './connect.ts';

/** A module that is one of several models. */
export interface Alternatives<M extends Adjustable> {
  readonly name: string;
  /** Models with the same interface; with several, a parameter with the module's name chooses one. */
  readonly choices: readonly M[];
}

/**
 * Parameters of all modules; with a choice of models, its parameter and those of every model.
 *
 * @throws InputError MODEL041 for two models of a choice that have a parameter of one name: "b.c" with "d", and "b" with "c.d"
 */
export function parametersOf(parts: readonly Alternatives<Adjustable>[], { place }: Site): Parameters {
  const params: Record<string, Parameters[string]> = {};
  for (const part of parts) {
    if (part.choices.length > 1) params[part.name] = part.choices[0]!.name;
    for (const model of part.choices)
      for (const [key, value] of Object.entries(model.params)) {
        const path = `${prefixOf(part, model)}${key}`;
        if (Object.hasOwn(params, path))
          fail(
            'MODEL041',
            `module ${quote(part.name)}: two of its models have the parameter ${quote(path)}: expected names of models without dots`,
            place,
          );
        params[path] = value;
      }
  }
  return params;
}

/**
 * Checks the values that a composition is verified with.
 *
 * @param size the name of its number of ranks or workers
 * @throws InputError MODEL001 for a name that is not a parameter, and a value of another type
 */
export function assertVerifiable(
  of: Adjustable,
  verifyWith: unknown,
  size: 'ranks' | 'workers',
  { place }: Site,
): void {
  if (verifyWith === undefined) return;
  if (!isAs(verifyWith, 'an object'))
    fail('MODEL001', `verifyWith: expected an object, got ${shown(verifyWith)}`, place);
  const { [size]: count, ...values } = verifyWith as Parameters;
  if (count !== undefined && !(Number.isSafeInteger(count) && (count as number) >= 1))
    fail('MODEL001', `verifyWith: ${size}: expected an integer >= 1, got ${shown(count)}`, place);
  for (const key of Object.keys(values))
    if (!Object.hasOwn(of.params, key))
      fail(
        'MODEL001',
        `verifyWith: ${quote(key)} is not a parameter.${didYouMean(key, [size, ...Object.keys(of.params)])}`,
        place,
      );
  try {
    checkedParameters(of, values);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    throw new InputError(
      e.problems.map(({ message }) => ({
        code: 'MODEL001',
        message: `verifyWith: ${message}`,
        ...(place === undefined ? {} : { place }),
      })),
    );
  }
}

/** `reader.`, or with a choice of models `filter.blur.`: the same parameter has another default in each. */
const prefixOf = ({ name, choices }: Alternatives<Adjustable>, model: Adjustable): string =>
  choices.length > 1 ? `${name}.${model.name}.` : `${name}.`;

/** The names that a parameter of a composition may have if it chooses the model of a module, at any depth; else undefined. */
export function choicesAt(parts: readonly Alternatives<Adjustable>[], param: string): readonly string[] | undefined {
  for (const part of parts) {
    if (part.name === param && part.choices.length > 1) return part.choices.map((model) => model.name);
    for (const model of part.choices) {
      const prefix = prefixOf(part, model);
      const own = param.slice(prefix.length);
      if (param.startsWith(prefix) && Object.hasOwn(model.params, own)) return choicesIn(model, own);
    }
  }
  return undefined;
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
