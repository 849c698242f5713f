import type { ElasticityFigures } from '../../report/whatif.ts';

/** How far a parameter is moved, up and down. */
export const STEP = 0.01;

/**
 * By how many per cent the run time changes where a parameter changes by one: d log T / d log x, by central differences
 * (1 % up, 1 % down), the largest first, by magnitude. 1 is "in proportion", −1 "inversely", 0 "not at all". It is local:
 * it says nothing of a parameter that is halved.
 *
 * @param runTime seconds with the parameter multiplied by a factor; all are asked at once
 * @returns null where a run time is 0 or could not be found
 */
export async function elasticities(
  parameters: readonly string[],
  runTime: (parameter: string, factor: number) => Promise<number | undefined> | number | undefined,
): Promise<ElasticityFigures[]> {
  const found = await Promise.all(
    parameters.map(async (parameter): Promise<ElasticityFigures> => {
      const [up = 0, down = 0] = await Promise.all([runTime(parameter, 1 + STEP), runTime(parameter, 1 - STEP)]);
      const slope = Math.log(up / down) / Math.log((1 + STEP) / (1 - STEP));
      return { parameter, elasticity: up > 0 && down > 0 ? slope : null };
    }),
  );
  const size = ({ elasticity }: ElasticityFigures): number => (elasticity === null ? -1 : Math.abs(elasticity));
  return found.sort((a, b) => size(b) - size(a) || (a.parameter < b.parameter ? -1 : 1));
}
