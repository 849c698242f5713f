import type { Code } from '../../base/codes.ts';
import { isDistribution } from '../distribution.ts';
import { conjuncts, type Expression, expressionText } from '../expression.ts';
import type { Delay, Transition } from '../net.ts';
import { clocksOf } from '../race-timing.ts';
import { sameData } from './merge-data.ts';
import { disagreement, type Findings, type Part, united, who } from './merge-part.ts';
import type { CombineRules } from './merge-rules.ts';
import { type ColumnColours, mergeVariables, withSharedNames } from './merge-variables.ts';

/** Reports a problem. */
type Report = (code: Code, message: string) => void;

/**
 * Combines partners into one transition with the arcs of all; its name is made of theirs. Returns undefined and adds
 * findings if they do not fit. O(size of the partners).
 */
export function combined(
  partners: readonly Part<Transition>[],
  columns: ColumnColours,
  rules: CombineRules,
  findings: Findings,
): Transition | undefined {
  const before = findings.count;
  const name = combinedName(partners);
  const report: Report = (code, message) => findings.report(code, `transition ${name}`, message);
  const ordered = [...partners].sort((x, y) => order(x.item.name, y.item.name) || order(x.home, y.home));
  distinctModules(ordered, report);
  const parts = withSharedNames(ordered);
  const items = parts.map((p) => p.item);
  const { shared, free } = mergeVariables(parts, columns, report);
  const kind = agreed('kind', parts, (t) => t.kind, String, report);
  const process = agreed('process', parts, (t) => t.process, expressionText, report);
  const delay = delayOf(parts, rules, report);
  const timed = items.find((t) => t.delay !== undefined);
  const conditions = items.flatMap((t) => conjuncts(t.guard));
  const weights = items.flatMap((t) => t.weight ?? []);
  const speeds = items.flatMap((t) => t.speed ?? []);
  const counts = items.flatMap((t) => t.counts ?? []);
  const priority = items.map((t) => t.priority ?? 0).reduce((a, b) => rules.priority(a, b));
  if (findings.count > before) return undefined;
  return {
    name,
    ...given({ kind, process }),
    inputs: items.flatMap((t) => t.inputs),
    outputs: items.flatMap((t) => t.outputs),
    ...(free.length === 0 ? {} : { free }),
    ...given({
      guard: reduced(conditions, (a, b) => ({ op: 'and', a, b })),
      priority: priority === 0 ? undefined : priority,
      weight: reduced(weights, rules.weight),
      delay,
      timing: timed?.timing,
      servers: timed?.servers,
      memory: timed?.memory,
      speed: reduced(speeds, (a, b) => ({ op: 'mul', a, b })),
      counts: counts.length === 0 ? undefined : counts,
    }),
    label: { name: items[0]!.label!.name, exports: Object.fromEntries(shared.map((v) => [v, v])) },
    modules: united(...items.map((t) => t.modules ?? [])),
  };
}

/** `a+b` for `b` and `a`. Combined names are split first, so that the name does not depend on the order of merging. */
function combinedName(partners: readonly Part<Transition>[]): string {
  return partners
    .flatMap((p) => partsOfName(p.item.name))
    .sort()
    .join('+');
}

/** The component names of a transition's name. */
export function partsOfName(name: string): string[] {
  return name.split('+');
}

/** `close` recognises a combined transition by its modules, so partners must come from different modules. */
function distinctModules(partners: readonly Part<Transition>[], report: Report): void {
  const seen = new Map<string, Part<Transition>>();
  for (const p of partners) {
    const modules = p.item.modules ?? [];
    if (modules.length === 0)
      report('NET072', `${who(p)} belongs to no module: give its net a name before merging by labels`);
    for (const m of modules) {
      const other = seen.get(m);
      if (other !== undefined)
        report('NET072', `${who(other)} and ${who(p)} belong to the same module: give each net a different name`);
      seen.set(m, p);
    }
  }
}

/** The value on which all partners that define it agree. */
function agreed<V>(
  what: string,
  parts: readonly Part<Transition>[],
  of: (t: Transition) => V | undefined,
  text: (value: V) => string,
  report: Report,
): V | undefined {
  const found = disagreement(parts, of, sameData);
  if (found !== undefined) {
    const [a, b] = [0, 1].map((k) => `${text(found.values[k]!)} in ${who(found.parts[k]!)}`);
    report(what === 'timing' ? 'NET069' : 'NET070', `${what} ${a} and ${b}: partners must agree`);
  }
  return parts.map((p) => of(p.item)).find((value) => value !== undefined);
}

/** Deterministic delays are combined by the rule; a distribution must be the only delay. */
function delayOf(parts: readonly Part<Transition>[], rules: CombineRules, report: Report): Delay | undefined {
  const timed = parts.filter((p) => p.item.delay !== undefined);
  agreed('timing', timed, timingOf, String, report);
  const drawn = timed.find((p) => isDistribution(p.item.delay!));
  const other = timed.find((p) => p !== drawn);
  if (drawn !== undefined && other !== undefined)
    report(
      'NET068',
      `the delay of ${who(drawn)} is a distribution, but ${who(other)} has a delay, too: only one may have a delay`,
    );
  return (
    drawn?.item.delay ??
    reduced(
      timed.map((p) => p.item.delay as Expression),
      rules.delay,
    )
  );
}

/** Timing, servers and memory, including defaults. */
function timingOf(t: Transition): string {
  if (t.timing !== 'race') return 'holding';
  const memory = t.memory === undefined || t.memory === 'enabling' ? '' : `, memory: ${t.memory}`;
  return `race (servers: ${clocksOf(t) === 1 ? 'single' : (t.servers ?? 'infinite')}${memory})`;
}

function reduced(
  items: readonly Expression[],
  rule: (a: Expression, b: Expression) => Expression,
): Expression | undefined {
  return items.length === 0 ? undefined : items.reduce((a, b) => rule(a, b));
}

/** The defined properties. */
function given<T extends object>(properties: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
