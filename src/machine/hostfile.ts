import { readInput } from '../base/input-file.ts';
import { fail, InputError, type Problem, quote } from '../base/problem.ts';
import { descriptionPlace } from './described-at.ts';
import { type Platform, unknownHost } from './platform.ts';

/** Maximum size of a hostfile, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;
/** Maximum number of problems reported. */
const MAX_PROBLEMS = 100;

/**
 * Reads a hostfile like SimGrid 3.32's smpirun: one host per line, `HOST:SLOTS` for a host of several ranks; blank
 * lines are skipped; there are no comments. Lines beyond the last rank are checked but not used. If there are fewer
 * slots than ranks, the slots repeat from the first line.
 *
 * @param ranks number of ranks to place
 * @param note receives the note that the slots repeat (PLAT042)
 * @returns the host index of each rank
 * @throws InputError with all problems, each with file and line: PLAT040 (cannot be read, empty or too large), PLAT041
 * (malformed line), PLAT021 (unknown host)
 * @complexity linear in the file and the ranks
 */
export function readHostfile(
  file: string,
  platform: Platform,
  ranks: number,
  note: (note: Problem) => void = () => {},
): Int32Array {
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
      const message = `expected HOST or HOST:SLOTS, got ${quote(count)} as the number of slots of ${quote(name)}`;
      problems.push({ code: 'PLAT041', message, place });
    } else if (host === undefined) {
      const comment = name.startsWith('#') ? ' A SimGrid hostfile has no comments.' : '';
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
    for (let rank = slots; rank < ranks; rank++) placement[rank] = placement[rank - slots]!;
    const given = `${slots} ${slots === 1 ? 'slot' : 'slots'}`;
    const message = `the hostfile has ${given} for ${ranks} ranks: its lines are repeated from the first one, as with smpirun.`;
    note({ code: 'PLAT042', message, place: { file } });
  }
  return placement;
}

function readLines(file: string): string[] {
  const text = readInput(file, { code: 'PLAT040', limit: MAX_BYTES, accepts: 'pipes' }).toString('utf8');
  if (text.includes('\0')) fail('PLAT040', 'the file is binary; expected one host per line', { file });
  return text.split('\n');
}

/**
 * One rank per host, as smpirun places ranks without a hostfile: hosts of all zones in the bytewise order of their
 * names (`n0, n1, n10, n2`), not in the order of the file. O(hosts × log hosts).
 *
 * @throws InputError PLAT043 if there are more ranks than hosts
 */
export function defaultPlacement(platform: Platform, ranks: number): Int32Array {
  const hosts = platform.hosts.length;
  if (ranks > hosts) {
    const help =
      'Give a hostfile that names hosts more than once (HOST:SLOTS), a platform with more hosts, or --placement.';
    fail(
      'PLAT043',
      `${ranks} ranks, and platform ${platform.name} has ${hosts} hosts, for one rank each. ${help}`,
      descriptionPlace(platform),
    );
  }
  const names = platform.hosts.map(({ name }) => Buffer.from(name));
  const byName = names.map((_, host) => host).sort((a, b) => Buffer.compare(names[a]!, names[b]!));
  return Int32Array.from(byName.slice(0, ranks));
}
