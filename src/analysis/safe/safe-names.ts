import { type Column, columnsOf } from '../../net/colour.ts';
import { valueText } from '../properties/colours.ts';
import { namedStep } from '../properties/steps.ts';
import type { Petri, PetriPlace, PetriTransition } from '../space/petri.ts';

/** Returns a function that makes names unique: it appends `'` to names already used. */
export function uniqueNames(): (name: string) => string {
  const given = new Set<string>();
  return (name) => {
    let free = name;
    while (given.has(free)) free += "'";
    given.add(free);
    return free;
  };
}

/** `place[colour]`, `place[colour].service` or `transition.busy[binding]`; brackets only if they are not empty. */
export function placeName({ net }: Petri, { kind, node, values }: PetriPlace): string {
  if (kind === 'busy') return `${net.transitions[node]!.name}.busy${inBrackets(values.map(String))}`;
  const sets = new Map(net.colours.map((c) => [c.name, c]));
  const place = net.places[node]!;
  const columns: readonly Column[] = columnsOf(place.fields, sets);
  const colour = inBrackets(values.map((v, k) => valueText(columns[k], v)));
  return `${place.name}${colour}${kind === 'service' ? '.service' : ''}`;
}

/** `transition[x=1]`; `.start` and `.end` for a transition with a delay; `place.serve` for a service. */
export function stepName({ net }: Petri, { kind, node, binding }: PetriTransition): string {
  const named = namedStep(net, { kind, node, binding });
  const values = inBrackets(Object.entries(named.binding).map(([variable, value]) => `${variable}=${value}`));
  return `${named.node}${kind === 'fire' ? '' : `.${kind}`}${values}`;
}

function inBrackets(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `[${parts.join(',')}]`;
}
