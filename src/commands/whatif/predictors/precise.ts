import { summary } from '../../../analysis/statistics/summary.ts';
import type { Problem } from '../../../base/problem.ts';
import type { ReplicationPlan } from '../../predict/replications/replications.ts';
import type { Scenario } from '../axes/grid.ts';
import type { StudyFigure } from '../whatif-result.ts';
import { COMPARED, comparedValue } from './compared-figure.ts';
import type { Outcome } from './predictor.ts';

/**
 * A predictor that adds runs until the mean of the figure by which scenarios are compared has the precision. The next number follows
 * from the width so far, which falls with the square root of the number. Scenarios whose number of runs is given run as often as it says.
 *
 * @param unknown gets a warning for a scenario without the precision
 */
export function precise(
  predict: (scenario: Scenario) => Promise<Outcome>,
  plan: ReplicationPlan | undefined,
  unknown: Problem[],
  compared: StudyFigure,
): (scenario: Scenario) => Promise<Outcome> {
  if (plan?.precision === undefined) return predict;
  const { least, most, precision, confidence } = plan;
  const { words, takes, format } = COMPARED[compared];
  return async (scenario) => {
    if (scenario.replications !== undefined) return predict(scenario);
    for (let replications = least; ; ) {
      const outcome = await predict({ ...scenario, replications });
      const { value = 0, replications: values = [] } = comparedValue(outcome, compared) ?? {};
      if (values.length < 2) return outcome;
      const { half } = summary(values, confidence);
      if (half === 0) {
        unknown.push({
          code: 'WHAT025',
          message: `${described(scenario)}: every run ${takes} ${format(value)}, as where a time ends it, so its precision says nothing about other figures. Give their number with --replications instead`,
        });
        return outcome;
      }
      if (half <= precision * value) return outcome;
      if (replications === most) {
        unknown.push({
          code: 'WHAT025',
          message: `${described(scenario)}: after ${most} runs its ${words} is known to ${shareText(half / value)}, not to ${shareText(precision)}. Allow more with --replications`,
        });
        return outcome;
      }
      const needed = Math.ceil(replications * (half / (precision * value)) ** 2);
      replications = Math.min(most, Math.max(replications + 1, Math.min(needed, GROWTH * replications)));
    }
  };
}

/** Maximum factor from one number of runs to the next: the width of few runs is uncertain. */
const GROWTH = 10;

const shareText = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;

/** `scenario ranks=4, model.m=2` */
function described({ values }: Scenario): string {
  const all = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? 'the scenario' : `scenario ${all.join(', ')}`;
}
