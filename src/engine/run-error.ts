import type { Code } from '../base/codes.ts';
import { fail } from '../base/problem.ts';
import { MAX_TOKENS } from './emit/capacity.ts';
import type { Emission } from './emit/emission.ts';
import { MAX_WORDS } from './limits.ts';

/** Throws the error of a failed check of generated code, with the names of the net; `d` are the details that the code passed. */
export function runError(e: Emission, code: Code, d: readonly number[]): never {
  const transition = (k: number): string => e.plans[k]!.transition.name;
  const place = (k: number): string => e.layouts[k]!.place.name;
  switch (code) {
    case 'RUN002': {
      const p = e.layouts[d[1]!]!;
      const field = p.place.fields[d[2]!]!;
      const { low, high } = p.ranges[d[2]!]!;
      return fail(
        code,
        `field "${field.name}" of place "${p.place.name}" would be ${d[3]}, outside ${field.colour} (${low} … ${high})`,
        { part: `transition ${transition(d[0]!)}` },
      );
    }
    case 'RUN003':
      return fail(code, `index ${d[1]} is outside 0 … ${d[2]! - 1}`, { part: `table ${e.net.tables[d[0]!]!.name}` });
    case 'RUN004':
      return fail(
        code,
        `a ${d[0]! < 0 ? 'service time' : 'delay'} of ${d[1]} s: expected a number >= 0 with a finite end time`,
        { part: d[0]! < 0 ? `place ${place(d[2]!)}` : `transition ${transition(d[0]!)}` },
      );
    case 'RUN005':
      return fail(
        code,
        `a count of ${d[2]} on the arc to ${place(d[1]!)}: expected an integer from 0 to ${MAX_TOKENS}`,
        { part: `transition ${transition(d[0]!)}` },
      );
    case 'RUN006':
      return fail(
        code,
        `a token demands amount ${d[1]}, weight ${d[2]}, bound ${d[3]}: expected amount >= 0, weight and bound > 0, and rates within the range of a double`,
        { part: `place ${place(d[0]!)}` },
      );
    case 'RUN007':
      return fail(code, `route ${d[1]} is not in the routes table`, { part: `place ${place(d[0]!)}` });
    case 'RUN008':
      return fail(
        code,
        d[2] === 1
          ? `its weight and the competing weights add up to ${d[1]}: expected a finite sum`
          : `a weight of ${d[1]}: expected a positive finite number`,
        {
          part: `transition ${transition(d[0]!)}`,
        },
      );
    case 'RUN014':
      return fail(code, `a token has the priority ${d[1]}: expected a number`, { part: `place ${place(d[0]!)}` });
    case 'RUN015':
      return fail(code, `draws for process ${d[1]}: expected an integer <= 2^53`, {
        part: `transition ${transition(d[0]!)}`,
      });
    case 'RUN017':
      return fail(code, `a speed of ${d[1]}: expected a finite number >= 0`, {
        part: `transition ${transition(d[0]!)}`,
      });
    case 'RUN013':
      return fail(code, `the tokens of the net take more than ${MAX_WORDS * 4} bytes`, {
        part: `place ${place(d[0]!)}`,
      });
    default:
      return fail('RUN009', 'did not return a number', {
        part: `function ${e.net.functions![d[0]!]!.name}`,
      });
  }
}

/** Throws RUN013: there is more of something than is kept in memory. */
export function tooMany(part: string, what: string): never {
  return fail('RUN013', `more than ${what}: shorten the run or reduce the model`, { part });
}
