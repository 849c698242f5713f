import { setTimeout as wait } from 'node:timers/promises';
import type { ProfileDocument } from './profile-document.ts';
import type { ProfileOptions } from './profile-options.ts';
import { RecordFollower } from './record-follower.ts';

/** A look takes at most this share of the time: a record is read from its begin each time. */
const SHARE = 0.25;

/**
 * Profiles a record that is being written whenever more of it is complete, until it has its end.
 *
 * @param every milliseconds between two looks; more if a look takes long
 * @param show called with each profile
 * @param signal ends following
 * @returns the last profile; undefined if there was none before the signal
 * @throws InputError as `profileRun`, but not for a record that is truncated
 */
export async function followRecord(
  files: readonly string[],
  options: ProfileOptions,
  every: number,
  show: (document: ProfileDocument) => Promise<void>,
  signal: AbortSignal,
): Promise<ProfileDocument | undefined> {
  const follower = new RecordFollower(files);
  let last: ProfileDocument | undefined;
  let isWaiting = false;
  while (!signal.aborted) {
    const begun = performance.now();
    const part = follower.next();
    if (part !== undefined) {
      last = follower.profile(part, options);
      await show(last);
      if (part.isComplete) break;
    } else if (last === undefined && !isWaiting) {
      isWaiting = true;
      process.stderr.write('note: nothing is complete yet: a part is, when each process has rows up to its end\n');
    }
    const spent = performance.now() - begun;
    await wait(Math.max(every, spent / SHARE), undefined, { signal }).catch(() => {});
  }
  return last;
}
