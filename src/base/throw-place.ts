import type { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import type { Place } from './problem.ts';
import { isUserPlace, placesOf } from './thrown.ts';

/** Stops watching; returns the source position of the last exception that was not an Error. */
export type ThrowWatch = () => Place | undefined;

/**
 * Watches where values without a stack are thrown (`throw null`, `throw 'text'`), using the debugger of this thread. Slow:
 * use it only to repeat code that has failed. Returns undefined if the debugger is unavailable or already in use.
 */
export function watchThrows(): ThrowWatch | undefined {
  try {
    const inspector = createRequire(import.meta.url)('node:inspector') as typeof import('node:inspector');
    if (inspector.url() !== undefined) return undefined;
    const session = new inspector.Session();
    session.connect();
    return watch(session);
  } catch {
    return undefined;
  }
}

function watch(session: Session): ThrowWatch {
  let place: Place | undefined;
  session.on('Debugger.paused', ({ params }) => {
    const { reason, data, callFrames } = params;
    const [frame] = callFrames;
    if (frame === undefined || !/exception|promiseRejection/.test(reason)) return;
    if ((data as { readonly subtype?: string } | undefined)?.subtype === 'error') return;
    // A stack created in the throwing frame has source maps applied.
    const { callFrameId } = frame;
    session.post(
      'Debugger.evaluateOnCallFrame',
      { callFrameId, expression: 'new Error().stack', silent: true },
      (error, answer) => {
        const stack: unknown = error === null ? answer.result.value : undefined;
        if (typeof stack === 'string') place = placesOf(stack).find(isUserPlace) ?? place;
      },
    );
  });
  session.post('Debugger.enable');
  session.post('Debugger.setPauseOnExceptions', { state: 'all' });
  return () => {
    session.disconnect();
    return place;
  };
}
