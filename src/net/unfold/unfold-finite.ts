import { InputError, type Problem } from '../../base/problem.ts';
import { columnsOf } from '../colour.ts';
import type { Net, Place } from '../net.ts';

/** @throws InputError UNF001 for every unbounded column and free variable */
export function assertFinite(net: Net): void {
  const colours = new Map(net.colours.map((c) => [c.name, c]));
  const problems: Problem[] = [];
  const look = (part: string, fields: Place['fields']): void => {
    for (const c of columnsOf(fields, colours))
      if (c.colour.kind === 'integer')
        problems.push({
          code: 'UNF001',
          message: `"${c.name}" is of colour "${c.colour.name}", the unbounded integers: only finite colour sets can be unfolded. Give it a range.`,
          place: { part },
        });
  };
  for (const p of net.places) look(`place ${p.name}`, p.fields);
  for (const t of net.transitions) look(`transition ${t.name}`, t.free ?? []);
  if (problems.length > 0) throw new InputError(problems);
}
