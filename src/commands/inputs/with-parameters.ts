import { ownOf } from '../../base/own.ts';

/** A model with parameters. */
interface Parametric<M> {
  readonly params: Readonly<Record<string, unknown>>;
  with(params: never): M;
}

/** Applies parameters. For boolean parameters the strings `true` and `false`, as used in documents, are accepted. */
export function withParameters<M extends Parametric<M>>(
  model: M,
  set: Readonly<Record<string, number | string | boolean>> = {},
): M {
  const entries = Object.entries(set).map(([key, value]) => {
    const truth = typeof ownOf(model.params, key) === 'boolean' && (value === 'true' || value === 'false');
    return [key, truth ? value === 'true' : value] as const;
  });
  return entries.length === 0 ? model : model.with(Object.fromEntries(entries) as never);
}
