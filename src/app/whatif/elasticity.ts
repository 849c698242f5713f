import { studentQuantile } from '../../analysis/student-t.ts';
import type { ElasticityFigures } from '../../report/whatif.ts';

/** How far a parameter is moved, up and down. */
export const STEP = 0.01;
const SPAN = Math.log((1 + STEP) / (1 - STEP));

/** What a run takes: seconds, the mean of its replications where there are any. */
export interface Timed {
  readonly runTime: number;
  readonly replications?: readonly number[];
}

/**
 * By how many per cent the run time changes where a parameter changes by one: d log T / d log x, by central differences
 * (1 % up, 1 % down), the largest first, by magnitude. 1 is "in proportion", −1 "inversely", 0 "not at all". It is local:
 * it says nothing of a parameter that is halved.
 *
 * With replications the run times are means, and the 95 % interval is that of log(up / down) to first order (the delta
 * method): of the mean of up / mean(up) − down / mean(down), taken replication by replication, since those of one number
 * draw the same random numbers.
 *
 * @param runTime what a run takes with the parameter multiplied by a factor; all are asked at once
 * @returns null where a run time is 0 or could not be found; `low` and `high` where there are two replications or more
 */
export async function elasticities(
  parameters: readonly string[],
  runTime: (parameter: string, factor: number) => Promise<Timed | undefined> | Timed | undefined,
): Promise<ElasticityFigures[]> {
  const found = await Promise.all(
    parameters.map(async (parameter): Promise<ElasticityFigures> => {
      const [up, down] = await Promise.all([runTime(parameter, 1 + STEP), runTime(parameter, 1 - STEP)]);
      if (up === undefined || down === undefined || !(up.runTime > 0 && down.runTime > 0))
        return { parameter, elasticity: null };
      const elasticity = Math.log(up.runTime / down.runTime) / SPAN;
      const half = halfWidth(up.replications ?? [], down.replications ?? []);
      return half === undefined
        ? { parameter, elasticity }
        : { parameter, elasticity, low: elasticity - half, high: elasticity + half };
    }),
  );
  const size = ({ elasticity }: ElasticityFigures): number => (elasticity === null ? -1 : Math.abs(elasticity));
  return found.sort((a, b) => size(b) - size(a) || (a.parameter < b.parameter ? -1 : 1));
}

/** Half the width of the 95 % interval of an elasticity. */
function halfWidth(up: readonly number[], down: readonly number[]): number | undefined {
  const n = Math.min(up.length, down.length);
  if (n < 2) return undefined;
  const mean = (all: readonly number[]): number => all.reduce((sum, x) => sum + x, 0) / all.length;
  const [ups, downs] = [mean(up), mean(down)];
  const differences = Array.from({ length: n }, (_, k) => up[k]! / ups - down[k]! / downs);
  const middle = mean(differences);
  const variance = differences.reduce((sum, d) => sum + (d - middle) ** 2, 0) / (n - 1);
  return (studentQuantile(0.025, n - 1) * Math.sqrt(variance / n)) / SPAN;
}
