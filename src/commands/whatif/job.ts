import type { Following } from '../command-line/following.ts';
import { importModule } from '../command-line/import-module.ts';
import type { Job } from '../command-line/job.ts';
import { study } from './whatif.ts';
import type { WhatIfOptions } from './whatif-options.ts';
import type { WhatIfDocument } from './whatif-result.ts';

/** Models only: studies of traces run no user code and need no thread. */
export type WhatIfJob = Job<WhatIfOptions>;

/** Interval at which a study polls for cancellation, in milliseconds. */
const LOOK = 50;

/** Studies scenarios of a model. */
export function run({ input, options }: WhatIfJob, { cancelled, studied }: Following): Promise<WhatIfDocument> {
  const control = new AbortController();
  const timer = setInterval(() => {
    if (cancelled()) control.abort(new Error('ended by request'));
  }, LOOK);
  timer.unref();
  const own = {
    ...options,
    signal: control.signal,
    progress: (done: number, scenarios: number) => studied?.({ done, scenarios }),
  };
  return study(input, own, importModule);
}
