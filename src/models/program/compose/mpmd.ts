import { isAs } from '../../../base/options.ts';
import { didYouMean, fail, quote, shown } from '../../../base/problem.ts';
import type { Parameters } from '../../parameters.ts';
import { Site } from '../../site.ts';
import { checkRule, type RankRule } from '../allowed-ranks.ts';
import { isModel, type ProgramModel } from '../model-object.ts';
import { coupled } from './coupled.ts';

/** One part of coupled models: a model and its number of ranks, or `'rest'` for all remaining ranks. */
export interface MpmdPart {
  /** The program of the part. */
  readonly model: ProgramModel<never, never, never> | ProgramModel;
  /** Number of ranks of the part. */
  readonly ranks: number | 'rest';
}

/**
 * Several models that run together on consecutive ranks (coupled codes). They communicate through `everyone`, the
 * communicator of all ranks. Parameters are named `model.parameter`.
 *
 * The result runs on a number of ranks if every part runs on its share; `ranks` may restrict the total further.
 *
 * @throws InputError MODEL001 for invalid options
 */
export function mpmd(options: {
  readonly name: string;
  readonly parts: readonly MpmdPart[];
  readonly ranks?: RankRule;
}): ProgramModel<Parameters> {
  const site = new Site(mpmd);
  if (!isAs(options, 'an object'))
    fail('MODEL001', `mpmd: expected { name, parts, … }, got ${shown(options)}`, site.place);
  const known = ['name', 'parts', 'ranks'];
  for (const key of Object.keys(options))
    if (!known.includes(key))
      fail('MODEL001', `mpmd has no option ${quote(key)}.${didYouMean(key, known)}`, site.place);
  const { name, parts, ranks: rule } = options;
  checkRule(rule, site);
  if (typeof name !== 'string' || name === '')
    fail('MODEL001', `name: expected a non-empty string, got ${shown(name)}`, site.place);
  if (!isAs(parts, 'a list of objects') || parts.length === 0)
    fail('MODEL001', 'mpmd: expected parts, a non-empty list of { model, ranks }', site.place);
  const names = parts.map(({ model }) =>
    isModel(model)
      ? model.name
      : fail('MODEL001', 'mpmd: model of a part: expected a model of spmd or mpmd', site.place),
  );
  const twice = names.find((n, k) => names.indexOf(n) < k);
  if (twice !== undefined)
    fail(
      'MODEL001',
      `duplicate part ${quote(twice)}: give one model another name, or use compose with { model, ranks, as: ${quote(`${twice}2`)} }`,
      site.place,
    );
  if (parts.filter((p) => p.ranks === 'rest').length > 1)
    fail('MODEL001', "only one part can have ranks: 'rest'", site.place);
  for (const { ranks } of parts)
    if (ranks !== 'rest' && !(Number.isSafeInteger(ranks) && ranks > 0))
      fail('MODEL001', `ranks of a part: expected an integer >= 1 or 'rest', got ${shown(ranks)}`, site.place);
  const coupledParts = parts.map(({ model, ranks }) => ({ name: model.name, ranks, choices: [model as ProgramModel] }));
  return coupled({ name, parts: coupledParts, joins: [], exposed: new Map(), rule, verifyWith: {}, site });
}
