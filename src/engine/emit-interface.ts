import type { Emission } from './emission.ts';
import { emitStepEnd } from './emit-firing.ts';
import { passingTokens, passingUses } from './emit-passing.ts';
import { ageOf, fieldOf, type PlaceLayout, stateOf, strideOf, timeOf } from './layout.ts';

/** What can be done with a game: initial marking, running, reading, saving. */
export function emitInterface(e: Emission): string {
  const puts = e.layouts.map((l) => `(v) => put${l.number}(${l.place.fields.map((_, k) => `v[${k}]`).join(', ')})`);
  const reads = e.layouts.map((l) => {
    const values = l.place.fields.map((_, k) => fieldOf(l, k, 's')).join(', ');
    return `() => { const out = []; for (let s = 0; s < I${l.number}.length; s += ${strideOf(l)}) if (${stateOf(l, 's')} !== 0) { const served = ${stateOf(l, 's')} !== 3; out.push({ values: [${values}], age: served ? ${ageOf(l, 's')} : Infinity, time: ${l.timed ? `served ? ${timeOf(l, 's')} : NaN` : 'NaN'} }); } ${passingTokens(e, l)} return out.sort((a, b) => (a.age < b.age ? -1 : a.age > b.age ? 1 : 0)); }`;
  });
  const names = stateNames(e);
  const load = names.map((n) => `if (s.${n} !== undefined) ${n} = s.${n};`);
  const views = e.layouts.map((l) => `D${l.number} = new Float64Array(I${l.number}.buffer);`);
  const stamps = stampNames(e);
  return `return {
run, put: [${puts.join(', ')}], tokens: [${reads.join(', ')}],
begun() { ${e.levels.map((_, l) => `const m${l} = 0;`).join(' ')} ${e.races.map((_, x) => `X.touch(${x});`).join(' ')} ${emitStepEnd(e)} },
save() { return { ${[...names, ...stamps].map((n) => `${n}`).join(', ')}${e.races.length > 0 ? ', races: X.state()' : ''} }; },
load(s) { ${load.join(' ')} ${views.join(' ')} ${stamps.map((n) => `if (${n} instanceof Map) for (const [k, v] of s.${n}) ${n}.set(k, v); else ${n}.set(s.${n});`).join(' ')} ${e.races.length > 0 ? 'X.restore(s.races);' : ''} },
get steps() { return steps; }, get idle() { return idle; },
};`;
}

/** Variables that make up the state of a game, besides what the runtime holds. */
function stateNames(e: Emission): string[] {
  const places = e.layouts.flatMap((l: PlaceLayout) => [
    `I${l.number}`,
    `R${l.number}`,
    ...l.indexes.flatMap((index, m) => [
      `L${l.number}_h${m}`,
      `L${l.number}_e${m}`,
      ...(index.kind === 'hash' ? [`L${l.number}_m${m}`] : []),
    ]),
    ...(l.place.capacity === undefined ? [] : [`N${l.number}`]),
    ...(passingUses(e, l).length > 0 ? [`P${l.number}`] : []),
  ]);
  const agendas = e.levels.flatMap((_, l) => [`Q${l}`, `front${l}`, `back${l}`, ...(e.stamped ? [`QS${l}`] : [])]);
  return ['steps', 'instant', 'ages', 'words', ...places, ...agendas];
}

/** Constants whose contents are state: stamps of inhibitors and of capacities. */
function stampNames(e: Emission): string[] {
  return [
    ...e.prompt.flatMap((p) => p.inhibitors.map((_, h) => `S${p.number}_${h}`)),
    ...e.layouts.flatMap((l) => (l.place.capacity === undefined ? [] : [`A${l.number}`])),
    ...e.layouts.flatMap((l) => (passingUses(e, l).length > 0 ? [`Z${l.number}`] : [])),
  ];
}
