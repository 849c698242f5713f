import type { CollectiveSelector } from '../../src/models/collectives/choice.ts';
import { expandCollective, expandSendRecv, type SendRecvStep } from '../../src/models/collectives/expand.ts';
import type { PointToPoint } from '../../src/models/collectives/steps.ts';
import type { Action } from './parse.ts';
import type { Step } from './replay.ts';

/** The programs of all ranks with every collective and sendRecv expanded into point-to-point steps. */
export function expandPrograms(programs: readonly (readonly Action[])[], selector?: CollectiveSelector): Step[][] {
  const size = programs.length;
  return programs.map((program, rank) =>
    program.flatMap((action): Step | Step[] => {
      if (action.op === 'collective') {
        return expandCollective(action.collective, rank, size, selector).map(internal);
      }
      return action.op === 'sendRecv' ? expandSendRecv(action, rank, size).map(internal) : action;
    }),
  );
}

/** Converts an expansion step to a program step; its request gets a name that cannot occur in traces. */
export function internal(step: PointToPoint | SendRecvStep): Step {
  return 'request' in step ? { ...step, request: `#${step.request}` } : step;
}
