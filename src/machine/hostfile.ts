import { readFileSync, statSync } from 'node:fs';
import { fail, InputError, type Problem, quote } from '../base/problem.ts';
import { type Platform, unknownHost } from './platform.ts';

/** The longest hostfile that is read, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;
/** Problems that are reported at most. */
const MAX_PROBLEMS = 100;

/**
 * Reads a hostfile as SimGrid 3.32's smpirun takes it: one host a line, `HOST:SLOTS` for a host of several ranks, blank
 * lines skipped, no comments; what stands beyond the last rank is checked and not used. smpirun goes round where there
 * are fewer slots than ranks; here that is an error, because it is nearly always a mistake.
 *
 * @param ranks Number of ranks to place.
 * @returns the host index of each rank.
 * @throws InputError PLAT040 (cannot be read, empty or too large), PLAT041 (malformed line), PLAT021 (unknown host),
 * PLAT042 (fewer slots than ranks, with both numbers); all problems at once, with file and line.
 * @complexity linear in the file and the ranks.
 */
export function readHostfile(file: string, platform: Platform, ranks: number): Int32Array {
  const placement = new Int32Array(ranks);
  const problems: Problem[] = [];
  let slots = 0;
  for (const [index, raw] of readLines(file).entries()) {
    if (problems.length >= MAX_PROBLEMS) break;
    const line = raw.trim();
    if (line === '') continue;
    const place = { file, line: index + 1, column: raw.length - raw.trimStart().length + 1 };
    const colon = line.lastIndexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon).trim();
    const count = colon < 0 ? '1' : line.slice(colon + 1).trim();
    const host = platform.hostIndex(name);
    if (!/^\d{1,9}$/.test(count)) {
      const message = `${quote(count)} after ${quote(name)} is no number of slots; expected HOST or HOST:SLOTS`;
      problems.push({ code: 'PLAT041', message, place });
    } else if (host === undefined) {
      const comment = name.startsWith('#') ? ' A hostfile of SimGrid has no comments.' : '';
      problems.push({ code: 'PLAT021', message: unknownHost(platform, name) + comment, place });
    } else {
      const end = slots + Number(count);
      if (slots < ranks) placement.fill(host, slots, Math.min(end, ranks));
      slots = end;
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  if (slots === 0) fail('PLAT040', 'the hostfile names no host', { file });
  if (slots < ranks) {
    const help = `Add hosts, or slots as in ${platform.hosts[placement[0]!]!.name}:2.`;
    fail('PLAT042', `the hostfile has room for ${slots} ranks, and ${ranks} are to be placed. ${help}`, { file });
  }
  return placement;
}

function readLines(file: string): string[] {
  let text: string;
  try {
    const info = statSync(file);
    if (!info.isFile() && !info.isFIFO()) fail('PLAT040', 'is neither a file nor a pipe', { file });
    const { size } = info;
    if (size > MAX_BYTES) fail('PLAT040', `is ${size} bytes long, more than the limit of ${MAX_BYTES}`, { file });
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof InputError) throw error;
    return fail('PLAT040', `cannot be read: ${quote((error as Error).message, 200)}`, { file });
  }
  if (text.includes('\0')) fail('PLAT040', 'the file is binary; one host a line was expected', { file });
  return text.split('\n');
}

/**
 * Rank r on host r, in the order in which the platform lists its hosts.
 *
 * @throws InputError PLAT043 where there are more ranks than hosts.
 */
export function defaultPlacement(platform: Platform, ranks: number): Int32Array {
  const hosts = platform.hosts.length;
  if (ranks > hosts) {
    const help =
      'Give a hostfile that names hosts more than once (HOST:SLOTS), a platform with more hosts, or --placement.';
    fail('PLAT043', `${ranks} ranks, and platform ${platform.name} has ${hosts} hosts: one each. ${help}`);
  }
  return Int32Array.from({ length: ranks }, (_, rank) => rank);
}
