import type { Branch, TextModel, Valuation } from './long-run.ts';
import { number, truth } from './prism-reader.ts';

interface Given {
  readonly [name: string]: unknown;
}

/** The members of an object: those with a `?` may be absent, others are refused. */
function members(value: unknown, names: string): Given {
  if (typeof value !== 'object' || value === null) throw new Error(`${JSON.stringify(value)} is no object`);
  const wanted = names.split(' ');
  const known = new Set(wanted.map((name) => name.replace('?', '')));
  for (const name of Object.keys(value)) if (!known.has(name)) throw new Error(`unexpected member ${name}`);
  for (const name of wanted) if (!name.endsWith('?') && !(name in value)) throw new Error(`missing member ${name}`);
  return value as Given;
}

const list = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new Error(`${JSON.stringify(value)} is no list`);
  return value;
};

const IDENTIFIER = /^[A-Za-z_]\w*$/;

type Value = number | boolean;
type Apply = (a: unknown, b: unknown) => Value;
const BINARY: Readonly<Record<string, Apply>> = {
  '+': (a, b) => number(a) + number(b),
  '-': (a, b) => number(a) - number(b),
  '*': (a, b) => number(a) * number(b),
  '/': (a, b) => number(a) / number(b),
  min: (a, b) => Math.min(number(a), number(b)),
  max: (a, b) => Math.max(number(a), number(b)),
  '=': (a, b) => number(a) === number(b),
  '≠': (a, b) => number(a) !== number(b),
  '<': (a, b) => number(a) < number(b),
  '≤': (a, b) => number(a) <= number(b),
  '>': (a, b) => number(a) > number(b),
  '≥': (a, b) => number(a) >= number(b),
  '∧': (a, b) => truth(a) && truth(b),
  '∨': (a, b) => truth(a) || truth(b),
};

function evaluated(e: unknown, s: Valuation): Value {
  if (typeof e === 'number' || typeof e === 'boolean') return e;
  if (typeof e === 'string') {
    if (s[e] === undefined) throw new Error(`unknown variable ${e}`);
    return s[e]!;
  }
  const { op } = e as Given;
  if (op === 'ite') {
    const { if: test, then, else: other } = members(e, 'op if then else');
    return truth(evaluated(test, s)) ? evaluated(then, s) : evaluated(other, s);
  }
  if (op === '¬') return !truth(evaluated(members(e, 'op exp')['exp'], s));
  if (op === 'floor') return Math.floor(number(evaluated(members(e, 'op exp')['exp'], s)));
  if (op === 'ceil') return Math.ceil(number(evaluated(members(e, 'op exp')['exp'], s)));
  const apply = BINARY[op as string];
  if (apply === undefined) throw new Error(`unknown operator ${String(op)}`);
  const { left, right } = members(e, 'op left right');
  return apply(evaluated(left, s), evaluated(right, s));
}

/** Reads the part of JANI that describes one automaton with one location, by the published structure; anything else is refused. */
export function readJani(text: string): TextModel {
  const model = members(
    JSON.parse(text),
    'jani-version name metadata? type features? variables? properties? automata system',
  );
  const type = model['type'];
  if (model['jani-version'] !== 1 || (type !== 'ctmc' && type !== 'ma')) throw new Error('version or type');
  const initial: Record<string, number> = {};
  const bounds = new Map<string, number>();
  const transient = new Set<string>();
  for (const one of list(model['variables'])) {
    const v = members(one, 'name type initial-value transient? comment?');
    const name = v['name'] as string;
    if (!IDENTIFIER.test(name) || bounds.has(name)) throw new Error(`variable ${name}`);
    const range = v['type'] === 'int' ? undefined : members(v['type'], 'kind base lower-bound upper-bound');
    if (range !== undefined && (range['kind'] !== 'bounded' || range['base'] !== 'int')) throw new Error('type');
    bounds.set(name, range === undefined ? Number.POSITIVE_INFINITY : number(range['upper-bound']));
    if (v['transient'] === true) transient.add(name);
    else initial[name] = number(v['initial-value']);
  }
  const [automaton, ...others] = list(model['automata']);
  const { edges, locations, ...net } = members(automaton, 'name locations initial-locations edges');
  const [location] = list(locations).map((l) => members(l, 'name')['name']);
  const { elements } = members(model['system'], 'elements');
  if (others.length > 0 || members(list(elements)[0], 'automaton')['automaton'] !== net['name'])
    throw new Error('system');
  if (list(net['initial-locations'])[0] !== location) throw new Error('initial location');

  const timed: ((s: Valuation) => Branch[])[] = [];
  const immediate: ((s: Valuation) => Branch[])[] = [];
  for (const one of list(edges)) {
    const e = members(one, 'location rate? guard destinations');
    if (e['location'] !== location) throw new Error('location');
    const exp = (part: unknown): unknown => members(part, 'exp')['exp'];
    const destinations = list(e['destinations']).map((d) => members(d, 'location probability? assignments comment?'));
    const branches = (s: Valuation): Branch[] => {
      if (!truth(evaluated(exp(e['guard']), s))) return [];
      const rate = e['rate'] === undefined ? 1 : number(evaluated(exp(e['rate']), s));
      return destinations.flatMap((d) => {
        const p = d['probability'] === undefined ? 1 : number(evaluated(exp(d['probability']), s));
        if (p === 0) return [];
        const to: Record<string, number> = { ...s };
        const earns: Record<string, number> = {};
        for (const a of list(d['assignments'])) {
          const { ref, value } = members(a, 'ref value') as { ref: string; value: unknown };
          const n = number(evaluated(value, s));
          if (!(Number.isInteger(n) && n >= 0 && n <= bounds.get(ref)!)) throw new Error(`${ref} becomes ${n}`);
          (transient.has(ref) ? earns : to)[ref] = n;
        }
        return [{ value: rate * p, to, earns }];
      });
    };
    (e['rate'] === undefined ? immediate : timed).push(branches);
  }
  if (type === 'ctmc' && immediate.length > 0) throw new Error('a chain has rates only');

  const perSecond: Record<string, (s: Valuation) => number> = {};
  const perStep: Record<string, string> = {};
  for (const one of list(model['properties'])) {
    const property = members(one, 'name expression comment?');
    const filter = members(property['expression'], 'op fun values states');
    const values = members(filter['values'], 'op exp accumulate');
    const [unit] = list(values['accumulate']);
    const name = property['name'] as string;
    if (values['op'] !== 'Smin' && values['op'] !== 'Smax') throw new Error('operator');
    if (unit === 'steps') perStep[name] = values['exp'] as string;
    else perSecond[name] = (s) => number(evaluated(values['exp'], s));
  }
  return {
    initial,
    timed: (s) => timed.flatMap((edge) => edge(s)),
    immediate: (s) => immediate.map((edge) => edge(s)).filter((branches) => branches.length > 0),
    perSecond,
    perStep,
  };
}
