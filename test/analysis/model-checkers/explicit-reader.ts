import type { MarkovFiles } from '../../../src/analysis/model-checkers/explicit.ts';
import type { TextModel, Valuation } from './long-run.ts';

/** Lines of a file that ends with a line break, each of the form. */
function linesOf(file: string, form: RegExp): RegExpExecArray[] {
  if (!file.endsWith('\n')) throw new Error('no line break at the end');
  return file
    .slice(0, -1)
    .split('\n')
    .slice(1)
    .map((line) => form.exec(line) ?? wrong(line));
}

const wrong = (line: string): never => {
  throw new Error(`unexpected line ${line}`);
};
const NUMBER = String.raw`(\d+(?:\.\d+)?(?:e[+-]?\d+)?)`;
const header = (file: string, form: RegExp): RegExpExecArray => form.exec(file.split('\n')[0]!) ?? wrong(file);

/** Reads explicit files by their grammar alone, and checks that they fit together. */
export function readExplicit({ tra, sta, lab, srew }: MarkovFiles): TextModel {
  const [, states, transitions] = header(tra, /^(\d+) (\d+)$/).map(Number);
  const rates = linesOf(tra, new RegExp(`^(\\d+) (\\d+) ${NUMBER}$`)).map((l) => l.slice(1).map(Number));
  if (rates.length !== transitions) throw new Error(`${rates.length} rates`);
  rates.forEach(([s, to], k) => {
    const [before, last] = rates[k - 1] ?? [-1, -1];
    const isOrdered = s! > before! || (s === before && to! > last!);
    if (!isOrdered || s! >= states! || to! >= states! || s === to) throw new Error(`rate ${s} ${to}`);
  });
  const names = header(sta, /^\((\w+(?:,\w+)*)\)$/)[1]!.split(',');
  const rows = linesOf(sta, /^(\d+):\((\d+(?:,\d+)*)\)$/);
  if (rows.length !== states || new Set(rows.map((r) => r[2])).size !== states)
    throw new Error('states are not distinct');
  rows.forEach(([, s, row], k) => {
    if (Number(s) !== k || row!.split(',').length !== names.length) throw new Error(`state ${s}`);
  });
  header(lab, /^0="init" 1="deadlock"$/);
  const labels = linesOf(lab, /^(\d+): (0|1|0 1)$/).map(([, s, of]) => [Number(s), of!.split(' ')] as const);
  const initial = labels.filter(([, of]) => of.includes('0'));
  if (initial.length !== 1) throw new Error(`${initial.length} initial states`);
  const left = new Set(rates.map(([s]) => s));
  const dead = labels.filter(([, of]) => of.includes('1')).map(([s]) => s);
  // Steps from a state to itself have no rate: not every state without rates is dead.
  if (dead.some((s) => left.has(s))) throw new Error('deadlocks');
  const valuation = (s: number): Valuation => ({
    state: s,
    ...Object.fromEntries(rows[s]![2]!.split(',').map((v, k) => [names[k]!, Number(v)])),
  });
  const rewardOf = (file: string): ((state: Valuation) => number) => {
    const [, all, some] = header(file, /^(\d+) (\d+)$/).map(Number);
    const of = new Map(linesOf(file, new RegExp(`^(\\d+) ${NUMBER}$`)).map((l) => [Number(l[1]), Number(l[2])]));
    if (all !== states || of.size !== some) throw new Error('rewards');
    return (state) => of.get(state['state']!) ?? 0;
  };
  return {
    initial: valuation(initial[0]![0]),
    timed: (state) =>
      rates
        .filter(([s]) => s === state['state'])
        .map(([, to, value]) => ({ value: value!, to: valuation(to!), earns: {} })),
    immediate: () => [],
    perSecond: Object.fromEntries(Object.entries(srew).map(([name, file]) => [name, rewardOf(file)])),
    perStep: {},
  };
}
