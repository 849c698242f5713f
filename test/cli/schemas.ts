import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
const compiled = new Map<string, ValidateFunction>();

/** The schema of a name, from the file of the package. */
export function schemaOf(name: string): ValidateFunction {
  const known =
    compiled.get(name) ?? ajv.compile(JSON.parse(readFileSync(`schema/${name}.schema.json`, 'utf8')) as object);
  compiled.set(name, known);
  return known;
}

/**
 * What is wrong with a result document: deviations from the schema of its kind, and figures without unit or with a value
 * outside their interval.
 */
export function faultsOf(text: string): string[] {
  const document = JSON.parse(text) as { readonly kind: string };
  const validate = schemaOf(document.kind);
  const shape = validate(document) ? [] : validate.errors!.map((e) => `${e.instancePath} ${e.message}`);
  return [...shape, ...figureFaults(document, document.kind)];
}

/** Parts in which `value` is no figure: verdicts, axes and machines. */
const NO_FIGURES = new Set(['verdicts', 'found', 'machine', 'inputs', 'options']);

function figureFaults(value: unknown, path: string): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is not finite`];
  if (typeof value !== 'object' || value === null) return [];
  const {
    value: named,
    unit,
    lower,
    upper,
    certainty,
    mean,
    throughput,
    probability,
    load,
    utilisation,
  } = value as Record<string, unknown>;
  // The figures of a steady state have names of their own.
  const figure = named ?? mean ?? throughput ?? probability ?? load ?? utilisation;
  const own: string[] = [];
  if (typeof named === 'number' && typeof unit !== 'string') own.push(`${path} has no unit`);
  if (certainty !== undefined) {
    if (!(Number(certainty) > 0 && Number(certainty) <= 1)) own.push(`${path} has certainty ${certainty}`);
    if (!(Number(lower ?? figure) <= Number(figure) && Number(figure) <= Number(upper ?? figure)))
      own.push(`${path}: ${figure} is not between ${lower} and ${upper}`);
  }
  const inside = Object.entries(value).filter(([key]) => !NO_FIGURES.has(key));
  return [...own, ...inside.flatMap(([key, member]) => figureFaults(member, `${path}.${key}`))];
}
