import { type Expression, variablesOf } from '../net/expression.ts';
import type { InputArc, Net, OutputArc, Table } from '../net/net.ts';
import { emitValue, literal, mayFail, type Scope } from './emit-expression.ts';
import { inOrder, Join, type JoinContext, needsRow, planOf, type TransitionPlan } from './emit-join.ts';
import { bucketCode, emitPlace } from './emit-place.ts';
import { chooseGroupIndex, indexFor, layoutOf, type PlaceLayout } from './layout.ts';
import { type Range, rangeOf } from './range.ts';

/** Generated code and what is needed to run and read it. */
export interface Emitted {
  readonly source: string;
  readonly layouts: readonly PlaceLayout[];
  /** Transitions in order of name: the order of their numbers. */
  readonly plans: readonly TransitionPlan[];
  /** The places with a service, in the order in which they are numbered. */
  readonly services: readonly PlaceLayout[];
  /** The width of an event's values. */
  readonly width: number;
}

export interface EmitOptions {
  /** Transitions whose firings are reported. */
  readonly observed: ReadonlySet<string>;
  /** Places whose tokens keep the time at which they came. */
  readonly timed: ReadonlySet<string>;
}

/** The variables of a transition in order of their first binding: the order in which observers get them. */
export function variableNames(plan: TransitionPlan): string[] {
  const names = new Set<string>();
  for (const arc of plan.arcs) for (const e of Object.values(arc.pattern)) if (e.op === 'var') names.add(e.name);
  return [...names];
}

/**
 * Turns a net into JavaScript: per place flat arrays and functions that enter and remove a token, per place what a new
 * token may enable, per transition its firing, and the loop of docs/semantics.md. Names and texts of the net do not
 * enter the code; only numbers do.
 */
export function emitNet(net: Net, options: EmitOptions): Emitted {
  return new NetEmitter(net, options).emit();
}

/** Whether an arc always brings one token. */
const isOne = (arc: OutputArc): boolean => arc.count.op === 'const' && arc.count.value === 1;

const byName = <T extends { readonly name: string }>(a: T, b: T): number => (a.name < b.name ? -1 : 1);

class NetEmitter {
  readonly #net: Net;
  readonly #options: EmitOptions;
  readonly #layouts: PlaceLayout[];
  readonly #byName: Map<string, PlaceLayout>;
  readonly #plans: TransitionPlan[];
  readonly #services: PlaceLayout[];
  readonly #context: JoinContext;
  readonly #tables: Map<string, Table>;
  readonly #width: number;

  constructor(net: Net, options: EmitOptions) {
    this.#net = net;
    this.#options = options;
    this.#layouts = [...net.places].sort(byName).map((p, k) => layoutOf(net, p, k));
    this.#byName = new Map(this.#layouts.map((l) => [l.place.name, l]));
    this.#plans = [...net.transitions].sort(byName).map(planOf);
    this.#services = this.#layouts.filter((l) => l.place.service !== undefined);
    this.#tables = new Map(net.tables.map((t) => [t.name, t]));
    const numbers = new Map(net.tables.map((t, k) => [t.name, k]));
    this.#context = { layouts: this.#byName, tables: this.#tables, tableName: (name) => `K${numbers.get(name)}` };
    this.#width = Math.max(1, ...this.#plans.map((p) => variableNames(p).length));
  }

  emit(): Emitted {
    const examined = this.#layouts.map((l) => this.#examine(l));
    const multi = this.#layouts.map((l) => this.#multi(l));
    const transitions = this.#plans.map((p) => this.#transition(p));
    const services = this.#services.map((l, k) => this.#service(l, k));
    for (const l of this.#layouts) chooseGroupIndex(l);
    const places = this.#layouts.map((l, k) =>
      emitPlace(l, {
        timed: this.#options.timed.has(l.place.name),
        examined: examined[k] !== '',
        multi:
          multi[k] !== '' || this.#plans.some((p) => p.arcs.some((a, i) => a.place === l.place.name && needsRow(p, i))),
      }),
    );
    const source = [
      this.#prelude(),
      ...places,
      ...this.#layouts.map((l) => this.#put(l)),
      ...services,
      ...examined,
      ...multi,
      ...transitions,
      this.#loop(),
      this.#interface(),
    ].join('\n');
    return { source, layouts: this.#layouts, plans: this.#plans, services: this.#services, width: this.#width };
  }

  // ---- what a token may enable

  /** A new visible token: the candidates it is part of. Conditions that compare with a constant become a switch. */
  #examine(layout: PlaceLayout): string {
    const uses = this.#uses(layout);
    if (uses.length === 0) return '';
    const fields = layout.place.fields.map((_, k) => `t${k}`);
    const groups: { selector: string; cases: { value: number; code: string }[]; plain: string[] }[] = [];
    for (const { plan, arc } of uses) {
      const choice = this.#selector(plan, arc, fields);
      const code = this.#candidates(plan, arc, 's', choice === undefined ? [] : [choice.condition]);
      const group = choice && groups.find((g) => g.selector === choice.selector);
      if (choice === undefined) groups.push({ selector: '', cases: [], plain: [code] });
      else if (group === undefined)
        groups.push({ selector: choice.selector, cases: [{ value: choice.value, code }], plain: [] });
      else group.cases.push({ value: choice.value, code });
    }
    const body = groups.map((g) => {
      if (g.selector === '') return g.plain.map((c) => `{ ${c} }`).join('\n');
      const values = [...new Set(g.cases.map((c) => c.value))];
      return `switch (${g.selector}) {\n${values
        .map((v) => {
          const all = g.cases.filter((c) => c.value === v).map((c) => `{ ${c.code} }`);
          return `case ${literal(v)}: ${all.join('\n')} break;`;
        })
        .join('\n')}\n}`;
    });
    const load =
      fields.length === 0 ? '' : `const ${fields.map((f, k) => `${f} = P${layout.number}_f${k}[s]`).join(', ')};`;
    return `function ex${layout.number}(s) {\n${load}\n${body.join('\n')}\n}`;
  }

  /** A condition `expression == constant` over the token's own fields, by which transitions can be told apart. */
  #selector(
    plan: TransitionPlan,
    arc: number,
    fields: readonly string[],
  ): { condition: Expression; selector: string; value: number } | undefined {
    const a = plan.arcs[arc]!;
    const layout = this.#byName.get(a.place)!;
    const names = new Map<string, string>();
    const ranges = new Map<string, Range>();
    layout.place.fields.forEach((f, k) => {
      const e = a.pattern[f.name];
      if (e?.op === 'var' && !names.has(e.name)) {
        names.set(e.name, fields[k]!);
        ranges.set(e.name, layout.ranges[k]!);
      }
    });
    const scope: Scope = { names, ranges, tables: this.#tables, tableName: this.#context.tableName };
    for (const condition of plan.conditions) {
      if (condition.op !== 'eq' || condition.b.op !== 'const') continue;
      if (![...variablesOf(condition.a)].every((v) => names.has(v)) || mayFail(condition.a, scope)) continue;
      return { condition, selector: emitValue(condition.a, scope), value: condition.b.value };
    }
    return undefined;
  }

  #candidates(plan: TransitionPlan, arc: number, slot: string, skip: readonly Expression[], row?: string): string {
    const start = row === undefined ? { arc, slot } : { arc, slot, row };
    return new Join(plan, this.#context).emit(start, skip, (slots) => `push${plan.number}(${slots.join(', ')});`);
  }

  #uses(layout: PlaceLayout): { plan: TransitionPlan; arc: number }[] {
    return this.#plans.flatMap((plan) =>
      plan.arcs.flatMap((a, arc) => (a.place === layout.place.name ? [{ plan, arc }] : [])),
    );
  }

  /** A token that is hidden by an equal one: it may complete what a transition needs that takes several. */
  #multi(layout: PlaceLayout): string {
    const uses = this.#uses(layout).filter(({ plan, arc }) => needsRow(plan, arc));
    if (uses.length === 0) return '';
    const code = uses.map(({ plan, arc }) => `{ ${this.#candidates(plan, arc, 'h', [], 'n')} }`);
    const n = layout.number;
    return `function multi${n}(s) {\nconst h = head${n}(s), n = row${n}(h);\nif (!inRow${n}(h, s)) return;\n${code.join('\n')}\n}
function inRow${n}(h, s) { ${layout.place.fields.map((_, k) => `if (P${n}_f${k}[h] !== P${n}_f${k}[s]) return false;`).join(' ')} return true; }`;
  }

  // ---- transitions

  #transition(plan: TransitionPlan): string {
    const t = plan.number;
    const slots = plan.arcs.map((_, k) => `s${k}`);
    const entry = plan.arcs.flatMap((a, k) => [
      `Q[tail + ${1 + 2 * k}] = s${k};`,
      `Q[tail + ${2 + 2 * k}] = P${this.#layout(a).number}_g[s${k}];`,
    ]);
    const push = `function push${t}(${slots.join(', ')}) {
  if (tail + STRIDE > Q.length) growQ();
  Q[tail] = ${t}; ${entry.join(' ')}
  ${this.#hasInhibitors() ? 'QS[tail / STRIDE] = steps;' : ''}
  tail += STRIDE;
}`;
    return [push, this.#blocked(plan), this.#fire(plan), this.#end(plan), this.#wake(plan)].join('\n');
  }

  #layout(arc: InputArc | OutputArc): PlaceLayout {
    return this.#byName.get(arc.place)!;
  }

  #hasInhibitors(): boolean {
    return this.#plans.some((p) => p.inhibitors.length > 0);
  }

  /** The scope of a firing: every variable is a local of its own, loaded from the tokens of the arcs. */
  #firingScope(plan: TransitionPlan): { scope: Scope; load: (used: ReadonlySet<string>) => string } {
    const names = new Map<string, string>();
    const ranges = new Map<string, Range>();
    const loads = new Map<string, string>();
    plan.arcs.forEach((a, k) => {
      const layout = this.#layout(a);
      layout.place.fields.forEach((f, i) => {
        const e = a.pattern[f.name];
        if (e?.op !== 'var' || names.has(e.name)) return;
        const id = `v${names.size}`;
        names.set(e.name, id);
        ranges.set(e.name, layout.ranges[i]!);
        loads.set(e.name, `const ${id} = P${layout.number}_f${i}[s${k}];`);
      });
    });
    const scope: Scope = { names, ranges, tables: this.#tables, tableName: this.#context.tableName };
    return {
      scope,
      load: (used) =>
        [...loads]
          .filter(([v]) => used.has(v))
          .map(([, c]) => c)
          .join(' '),
    };
  }

  /** Whether some token matches an inhibitor arc's pattern. */
  #blocked(plan: TransitionPlan): string {
    return plan.inhibitors
      .map((arc, h) => {
        const layout = this.#layout(arc);
        const fields = layout.place.fields.flatMap((f, k) => (arc.pattern[f.name] === undefined ? [] : [k]));
        const args = fields.map((f) => `k${f}`);
        const number = indexFor(layout, fields);
        const index = layout.indexes[number]!;
        const p = `P${layout.number}`;
        const inside =
          index.kind === 'dense' ? index.fields.map((f) => this.#outside(layout, f, `k${f}`)).join('') : '';
        const bucket = bucketCode(
          layout,
          number,
          index.fields.map((f) => `k${f}`),
        );
        const rest = fields.filter((f) => index.kind !== 'dense' || !index.fields.includes(f));
        const match = rest.map((f) => `${p}_f${f}[o] === k${f}`).join(' && ') || 'true';
        return `function blocked${plan.number}_${h}(${args.join(', ')}) {
  ${inside}
  for (let o = ${p}_h${number}[${bucket}]; o >= 0; o = ${p}_x${number}[o]) if (${match}) return true;
  return false;
}`;
      })
      .join('\n');
  }

  #outside(layout: PlaceLayout, field: number, id: string): string {
    const { low, high } = layout.ranges[field]!;
    return `if (!(${id} >= ${literal(low)} && ${id} <= ${literal(high)} && Number.isInteger(${id}))) return false;`;
  }

  #fire(plan: TransitionPlan): string {
    const { transition, number: t } = plan;
    const { scope, load } = this.#firingScope(plan);
    const slots = plan.arcs.map((_, k) => `s${k}`);
    const all = variableNames(plan);
    const observed = this.#options.observed.has(transition.name);
    const delayed = transition.delay !== undefined;
    const used = new Set<string>();
    const need = (e: Expression | undefined): void => {
      if (e !== undefined) for (const v of variablesOf(e)) used.add(v);
    };
    need(transition.delay);
    for (const h of plan.inhibitors) for (const e of Object.values(h.pattern)) need(e);
    if (observed || delayed) for (const v of all) used.add(v);
    if (!delayed) for (const o of transition.outputs) for (const e of [...Object.values(o.values), o.count]) need(e);
    const still = plan.inhibitors.map((arc, h) => {
      const values = Object.values(inOrder(arc, this.#layout(arc))).map((e) => emitValue(e, scope));
      return `if (blocked${t}_${h}(${values.join(', ')}) || left${t}_${h}(${values.join(', ')}) > since) return false;`;
    });
    const ids = all.map((v) => scope.names.get(v)!);
    const observe = observed ? `O${t}(now${ids.map((v) => `, ${v}`).join('')});` : '';
    const delay = delayed
      ? `const d = ${emitValue(transition.delay!, scope)}; if (!(d >= 0 && d < Infinity)) badDelay(${t}, d);`
      : '';
    const produce = delayed
      ? `${this.#services.length > 0 ? 'const at = now + d <= limit ? now : now + d;' : 'const at = now + d;'} const n = H.push(at, starts++, ${t}) * ${this.#width}; const V = H.values; ${ids.map((v, k) => `V[n + ${k}] = ${v};`).join(' ')}`
      : this.#produce(plan, scope);
    const evaluate = delayed ? '' : produce.slice(0, produce.indexOf('/*put*/'));
    const put = delayed ? produce : produce.slice(produce.indexOf('/*put*/'));
    return `function fire${t}(${[...slots, 'since'].join(', ')}) {
  ${load(used)}
  ${still.join('\n  ')}
  ${delay}
  ${evaluate}
  steps++; instant++; F[${t}]++;
  const mark = tail;
  ${observe}
  ${this.#consume(plan)}
  ${put}
  if (tail > mark + STRIDE) sortStep(mark);
  return true;
}`;
  }

  /** Removes the tokens, then examines what their leaving shows or sets free. */
  #consume(plan: TransitionPlan): string {
    const before: string[] = [];
    const code: string[] = [];
    const after: string[] = [];
    const taken: number[] = [];
    plan.arcs.forEach((a, k) => {
      if (a.kind !== 'take') return;
      const layout = this.#layout(a);
      const n = layout.number;
      const wakes = this.#inhibitedBy(layout);
      const fields = layout.place.fields.map((_, i) => `w${k}_${i} = P${n}_f${i}[s${k}]`);
      if (wakes.length > 0 && fields.length > 0) before.push(`const ${fields.join(', ')};`);
      let head = `s${k}`;
      for (const j of plan.rivals[k]!) head = `(s${j} === s${k} ? r${j} : ${head})`;
      code.push(`let r${k} = rm${n}(${head});`);
      for (let c = 1; c < a.count; c++) code.push(`r${k} = rm${n}(r${k});`);
      for (const j of plan.rivals[k]!) code.push(`if (s${j} === s${k}) r${j} = -1;`);
      taken.push(k);
      for (const { plan: other, inhibitor } of wakes)
        after.push(`wake${other.number}_${inhibitor}(${layout.place.fields.map((_, i) => `w${k}_${i}`).join(', ')});`);
    });
    // With three or more arcs on one group the last removal knows the next head; an earlier one may have been taken.
    const reveal = taken
      .filter((k) => this.#uses(this.#layout(plan.arcs[k]!)).length > 0)
      .map((k) => `if (r${k} >= 0) ex${this.#layout(plan.arcs[k]!).number}(r${k});`);
    return [...before, ...code, ...reveal, ...after].join('\n  ');
  }

  #inhibitedBy(layout: PlaceLayout): { plan: TransitionPlan; inhibitor: number }[] {
    return this.#plans.flatMap((plan) =>
      plan.inhibitors.flatMap((a, inhibitor) => (a.place === layout.place.name ? [{ plan, inhibitor }] : [])),
    );
  }

  /** After a token left an inhibitor's place: note the step, and find the candidates that it alone held back. */
  #wake(plan: TransitionPlan): string {
    return plan.inhibitors
      .map((arc, h) => {
        const layout = this.#layout(arc);
        const fields = layout.place.fields.map((_, k) => `w${k}`);
        const given = layout.place.fields.flatMap((f, k) => (arc.pattern[f.name] === undefined ? [] : [k]));
        const key = given.map((k) => `k${k}`);
        const id = `${plan.number}_${h}`;
        const constantTests = layout.place.fields.flatMap((f, k) => {
          const e = arc.pattern[f.name];
          return e?.op === 'const' ? [`if (w${k} !== ${literal(e.value)}) return;`] : [];
        });
        const join = new Join(plan, this.#context).emit(
          { inhibitor: h, values: fields },
          [],
          (slots) => `push${plan.number}(${slots.join(', ')});`,
        );
        const name = key.length === 0 ? '0' : key.map((k) => `${k}`).join(` + ',' + `);
        return `const left${id}s = new Map();
function left${id}(${key.join(', ')}) { return left${id}s.get(${name}) ?? -1; }
function wake${id}(${fields.join(', ')}) {
  ${constantTests.join(' ')}
  ${given.map((k) => `const k${k} = w${k};`).join(' ')}
  left${id}s.set(${name}, steps);
  ${join}
}`;
      })
      .join('\n');
  }

  /** The end of a firing with a delay. */
  #end(plan: TransitionPlan): string {
    if (plan.transition.delay === undefined) return '';
    const t = plan.number;
    const all = variableNames(plan);
    const { scope } = this.#firingScope(plan);
    const load = all.map((v, k) => `const ${scope.names.get(v)} = V[n + ${k}];`);
    const observe = this.#options.observed.has(plan.transition.name)
      ? `E${t}(now${all.map((v) => `, ${scope.names.get(v)}`).join('')});`
      : '';
    return `function end${t}(node) {
  const V = H.values, n = node * ${this.#width};
  ${load.join(' ')}
  steps++; instant++;
  const mark = tail;
  ${observe}
  ${this.#produce(plan, scope)}
  if (tail > mark + STRIDE) sortStep(mark);
}`;
  }

  /** Code that evaluates the outputs, then (after the mark) puts them, in the order of place name and colour. */
  #produce(plan: TransitionPlan, scope: Scope): string {
    const outputs = plan.transition.outputs
      .map((arc, k) => ({ arc, k, layout: this.#layout(arc) }))
      .sort((a, b) => a.layout.number - b.layout.number || a.k - b.k);
    const evaluate: string[] = [];
    const put: string[] = [];
    const groups = new Map<number, typeof outputs>();
    for (const o of outputs) groups.set(o.layout.number, [...(groups.get(o.layout.number) ?? []), o]);
    for (const group of groups.values()) {
      for (const { arc, k, layout } of group) {
        const one = isOne(arc);
        if (!one) evaluate.push(`const c${k} = ${emitValue(arc.count, scope)};`);
        const counts = rangeOf(arc.count, scope.ranges, this.#tables);
        if (!(counts.whole && counts.low >= 0)) {
          evaluate.push(
            `if (!(c${k} >= 0 && Number.isInteger(c${k}))) badCount(${plan.number}, ${layout.number}, c${k});`,
          );
        }
        const names = layout.place.fields.map((_, i) => `o${k}_${i}`);
        if (names.length > 0) evaluate.push(`let ${names.map((n) => `${n} = 0`).join(', ')};`);
        const body = layout.place.fields.map((f, i) => {
          const e = arc.values[f.name]!;
          const r = rangeOf(e, scope.ranges, this.#tables);
          const { low, high } = layout.ranges[i]!;
          const sure = r.whole && r.low >= low && r.high <= high;
          const id = `o${k}_${i}`;
          const inRange = `${r.whole ? '' : `Number.isInteger(${id}) && `}${id} >= ${literal(low)} && ${id} <= ${literal(high)}`;
          return `${id} = ${emitValue(e, scope)};${sure ? '' : ` if (!(${inRange})) badColour(${plan.number}, ${layout.number}, ${i}, ${id});`}`;
        });
        evaluate.push(one ? body.join(' ') : `if (c${k} > 0) { ${body.join(' ')} }`);
      }
      put.push(this.#putGroup(group));
    }
    return `${evaluate.join('\n  ')}\n  /*put*/${put.join('\n  ')}`;
  }

  #putGroup(group: readonly { arc: OutputArc; k: number; layout: PlaceLayout }[]): string {
    const single = ({ arc, k, layout }: (typeof group)[number]): string => {
      const call = `put${layout.number}(${layout.place.fields.map((_, i) => `o${k}_${i}`).join(', ')});`;
      return isOne(arc) ? call : `for (let c = 0; c < c${k}; c++) ${call}`;
    };
    if (group.length === 1 || group[0]!.layout.place.fields.length === 0) return group.map(single).join(' ');
    const { layout } = group[0]!;
    if (group.length === 2) {
      // Two arcs to one place: their tokens come in the order of their colours.
      const [a, b] = [group[0]!, group[1]!];
      let after = 'false';
      for (let i = layout.place.fields.length - 1; i >= 0; i--) {
        const [x, y] = [`o${a.k}_${i}`, `o${b.k}_${i}`];
        after = after === 'false' ? `${x} > ${y}` : `${x} > ${y} || (${x} === ${y} && (${after}))`;
      }
      const both = [a, b].filter((o) => !isOne(o.arc)).map((o) => `c${o.k} > 0 && `);
      return `if (${both.join('')}(${after})) { ${single(b)} ${single(a)} } else { ${single(a)} ${single(b)} }`;
    }
    const rows = group.map(({ arc, k }) => {
      return `[${isOne(arc) ? 1 : `c${k}`}, ${layout.place.fields.map((_, i) => `o${k}_${i}`).join(', ')}]`;
    });
    const args = layout.place.fields.map((_, i) => `row[${i + 1}]`).join(', ');
    return `for (const row of [${rows.join(', ')}].sort(byColour)) for (let c = 0; c < row[0]; c++) put${layout.number}(${args});`;
  }

  // ---- places with a service

  #put(layout: PlaceLayout): string {
    const args = layout.place.fields.map((_, k) => `f${k}`).join(', ');
    const n = layout.number;
    const service = this.#services.indexOf(layout);
    const next = service < 0 ? `enter${n}(s);` : `serve${service}(s);`;
    return `function put${n}(${args}) { const s = take${n}slot(${args}); ${next} }`;
  }

  #service(layout: PlaceLayout, number: number): string {
    const service = layout.place.service!;
    const n = layout.number;
    const names = new Map(layout.place.fields.map((f, k) => [f.name, `f${k}`]));
    const ranges = new Map(layout.place.fields.map((f, k) => [f.name, layout.ranges[k]!]));
    const scope: Scope = { names, ranges, tables: this.#tables, tableName: this.#context.tableName };
    const routes = this.#tables.get(service.routes)!;
    if (routes.kind !== 'routes') throw new Error(`table ${service.routes} holds no routes`);
    const id = this.#context.tableName(service.routes);
    return `function serve${number}(s) {
  ${layout.place.fields.map((_, k) => `const f${k} = P${n}_f${k}[s];`).join(' ')}
  P${n}_v[s] = 3;
  const route = ${emitValue(service.route, scope)};
  if (!(route >= 0 && route < ${routes.start.length - 1})) badRoute(${n}, route);
  const amount = ${emitValue(service.amount, scope)}, weight = ${emitValue(service.weight, scope)}, bound = ${emitValue(service.bound, scope)};
  if (!(amount >= 0 && amount < Infinity && weight > 0 && weight < Infinity && bound > 0)) badDemand(${n}, amount, weight, bound);
  const order = starts++;
  if (!S[${number}].enter(s, order, now, amount, weight, bound, ${id}_start[route], ${id}_start[route + 1]))
    H.values[H.push(now, order, ${this.#plans.length + number}) * ${this.#width}] = s;
}`;
  }

  // ---- the loop

  #prelude(): string {
    const tables = this.#net.tables.map((t, k) => {
      const id = `K${k}`;
      if (t.kind === 'routes') return `const ${id}_start = T[${k}].start;`;
      if (t.kind === 'step')
        return `const ${id}_from = T[${k}].from, ${id}_values = T[${k}].values;
function ${id}(x) { let k = 0; while (k + 1 < ${t.from.length} && ${id}_from[k + 1] <= x) k++; return ${id}_values[k]; }`;
      return 'pages' in t.values
        ? `const ${id} = T[${k}].values, ${id}p = ${id}.pages;`
        : `const ${id} = T[${k}].values;`;
    });
    const arcs = Math.max(1, ...this.#plans.map((p) => p.arcs.length));
    return `'use strict';
const { T, H, S, F, grown, fail } = R;
const STRIDE = ${1 + 2 * arcs};
let now = 0, limit = 0, steps = 0, instant = 0, ages = 0, starts = 0, head = 0, tail = 0, x = 0;
let Q = new Int32Array(STRIDE * 256);
const spare = new Int32Array(STRIDE);
${this.#hasInhibitors() ? 'let QS = new Float64Array(256);' : ''}
${tables.join('\n')}
${this.#plans.map((p) => (this.#options.observed.has(p.transition.name) ? `const O${p.number} = R.starts[${p.number}], E${p.number} = R.ends[${p.number}];` : '')).join('')}
function growQ() { Q = grown(Q, Q.length * 2); ${this.#hasInhibitors() ? 'QS = grown(QS, QS.length * 2);' : ''} }
function hash(h) { h ^= h >>> 15; h = Math.imul(h, ${0x2c1b3c6d}); return h ^ (h >>> 13); }
function entry(index, length, table) { if (!(index >= 0 && index < length && Number.isInteger(index))) fail('RUN003', [table, index, length]); return index; }
function badDelay(t, d) { fail('RUN004', [t, d]); }
function badCount(t, p, c) { fail('RUN005', [t, p, c]); }
function badColour(t, p, f, v) { fail('RUN002', [t, p, f, v]); }
function badRoute(p, r) { fail('RUN007', [p, r]); }
function badDemand(p, a, w, b) { fail('RUN006', [p, a, w, b]); }
function byColour(a, b) { for (let k = 1; k < a.length; k++) if (a[k] !== b[k]) return a[k] - b[k]; return 0; }
${this.#sorting()}`;
  }

  /** Candidates of one step in canonical order: transition name (number), then the ages of their tokens. */
  #sorting(): string {
    const cases = this.#plans.map((p) => {
      const arcs = p.arcs.map((a, k) => ({ k, n: this.#layout(a).number })).sort((a, b) => a.n - b.n || a.k - b.k);
      const compare = arcs.map(
        ({ k, n }) => `d = P${n}_a[Q[a + ${1 + 2 * k}]] - P${n}_a[Q[b + ${1 + 2 * k}]]; if (d !== 0) return d;`,
      );
      return `case ${p.number}: ${compare.join(' ')} return 0;`;
    });
    const hasSteps = this.#hasInhibitors();
    return `function compare(a, b) {
  let d = Q[a] - Q[b];
  if (d !== 0) return d;
  switch (Q[a]) { ${cases.join('\n')} }
  return 0;
}
function sortStep(mark) {
  const n = (tail - mark) / STRIDE;
  if (n <= 8) {
    // Insertion, in place: a step seldom enables more.
    let end = mark + STRIDE;
    for (let k = end; k < tail; k += STRIDE) {
      let to = end;
      while (to > mark && compare(to - STRIDE, k) > 0) to -= STRIDE;
      if (to > mark && compare(to - STRIDE, k) === 0) continue;
      if (to < k) {
        for (let i = 0; i < STRIDE; i++) spare[i] = Q[k + i];
        Q.copyWithin(to + STRIDE, to, end);
        for (let i = 0; i < STRIDE; i++) Q[to + i] = spare[i];
      }
      end += STRIDE;
    }
    tail = end;
    return;
  }
  const order = []; for (let k = mark; k < tail; k += STRIDE) order.push(k);
  order.sort(compare);
  const copy = Q.slice(mark, tail);
  let to = mark, last = -1;
  for (const from of order) {
    if (last >= 0 && compareCopy(copy, last - mark, from - mark)) continue;
    last = from;
    for (let k = 0; k < STRIDE; k++) Q[to + k] = copy[from - mark + k];
    to += STRIDE;
  }
  ${hasSteps ? 'for (let k = mark; k < to; k += STRIDE) QS[k / STRIDE] = steps;' : ''}
  tail = to;
}
function compareCopy(q, a, b) {
  const n = ARCS[q[a]];
  for (let k = 0; k <= 2 * n; k++) if (q[a + k] !== q[b + k]) return false;
  return true;
}
const ARCS = [${this.#plans.map((p) => p.arcs.length).join(', ')}];`;
  }

  #loop(): string {
    const shares = this.#services.length > 0;
    const fires = this.#plans.map((p) => {
      const valid = p.arcs
        .map((a, k) => `P${this.#layout(a).number}_g[Q[q + ${1 + 2 * k}]] === Q[q + ${2 + 2 * k}]`)
        .join(' && ');
      const slots = p.arcs.map((_, k) => `Q[q + ${1 + 2 * k}]`);
      const since = p.inhibitors.length > 0 ? 'QS[q / STRIDE]' : '0';
      return `case ${p.number}: if (${valid}) fire${p.number}(${[...slots, since].join(', ')}); break;`;
    });
    const ends = this.#plans
      .filter((p) => p.transition.delay !== undefined)
      .map((p) => `case ${p.number}: end${p.number}(node); break;`);
    const served = this.#services.map(
      (l, k) =>
        `case ${this.#plans.length + k}: { steps++; instant++; const mark = tail; enter${l.number}(H.values[node * ${this.#width}]); if (tail > mark + STRIDE) sortStep(mark); break; }`,
    );
    const advance = this.#services.map((_, k) => `{ const t = S[${k}].next(now); if (t < next) next = t; }`).join(' ');
    const collect = this.#services
      .map(
        (_, k) =>
          `for (let f = S[${k}].due(limit); f >= 0; f = S[${k}].due(limit)) { const n = H.push(now, S[${k}].order, ${this.#plans.length + k}); H.values[n * ${this.#width}] = f; }`,
      )
      .join(' ');
    return `function run(budget, most) {
  const stop = steps + budget;
  while (steps < stop) {
    if (H.size > 0 && H.nextTime() <= limit) {
      const node = H.pop();
      switch (H.kinds[node]) { ${[...ends, ...served].join('\n')} }
    } else if (head < tail) {
      const q = head; head += STRIDE;
      switch (Q[q]) { ${fires.join('\n')} }
      if (head === tail) head = tail = 0;
    } else {
      let next = H.nextTime();
      ${advance}
      if (next === Infinity) return false;
      if (next > now) { now = next; instant = 0; limit = ${shares ? 'now * (1 + 1e-12); H.gather(now, limit)' : 'now'}; }
      ${collect}
    }
    if (instant > most) fail('RUN001', []);
  }
  return true;
}`;
  }

  /** Initial marking and what can be read after a run. */
  #interface(): string {
    const puts = this.#layouts.map(
      (l) => `(v) => put${l.number}(${l.place.fields.map((_, k) => `v[${k}]`).join(', ')})`,
    );
    const reads = this.#layouts.map((l) => {
      const p = `P${l.number}`;
      const timed = this.#options.timed.has(l.place.name);
      return `() => { const out = []; for (let s = 0; s < ${p}_c; s++) if (${p}_v[s] !== 0) out.push({ values: [${l.place.fields.map((_, k) => `${p}_f${k}[s]`).join(', ')}], age: ${p}_v[s] === 3 ? Infinity : ${p}_a[s], time: ${timed ? `${p}_t[s]` : 'NaN'} }); return out.sort((a, b) => (a.age < b.age ? -1 : a.age > b.age ? 1 : 0)); }`;
    });
    return `return {
  run, put: [${puts.join(', ')}], tokens: [${reads.join(', ')}],
  begun() { if (tail > STRIDE) sortStep(0); },
  get now() { return now; }, get steps() { return steps; }, get starts() { return starts; },
};`;
  }
}
