import { defaultPlacement } from '../../../machine/hostfile.ts';
import { checkCores, PLACEMENTS, placeRanks } from '../../../machine/placement.ts';
import { type MachineOptions, type Placed, placeOn, type Target } from '../../inputs/target.ts';

/** The ranks of a job, and its hostfile if it has one. */
interface RanksOfJob {
  readonly name: string;
  readonly ranks: number;
  readonly hostfile?: string;
}

/**
 * Places the ranks of several jobs; ranks are numbered job after job. A placement or hostfile for all ranks places them as those
 * of one program. Jobs with their own hostfile come first. Each other job, in order, is placed
 *
 * 1. on the hosts that no job before it uses, if its ranks fit there;
 * 2. otherwise on the cores that are still free (on a SimGrid platform without a placement: goes to 3);
 * 3. otherwise as if it were alone, which shares cores. A machine allows that with `oversubscribe` only.
 *
 * @throws InputError as `placeOn`
 */
export function placeJobs(target: Target, options: MachineOptions, jobs: readonly RanksOfJob[]): Placed {
  const { platform, description } = target;
  const total = jobs.reduce((sum, { ranks }) => sum + ranks, 0);
  const how = options.placement ?? 'block';
  const kind = PLACEMENTS.find((one) => one === how);
  const own = jobs.some(({ hostfile }) => hostfile !== undefined);
  if (kind === undefined || options.hostfile !== undefined) return placeOn(target, options, total);
  const perHost = description === undefined && options.placement === undefined;
  const used = new Int32Array(platform.hosts.length);
  const notes: Placed['notes'][number][] = [];
  const placed: Int32Array[] = [];
  const place = (k: number, hosts: Int32Array): void => {
    placed[k] = hosts;
    for (const host of hosts) used[host]!++;
  };
  for (const [k, { ranks, hostfile }] of jobs.entries()) {
    if (hostfile === undefined) continue;
    const { placement, notes: some } = placeOn(target, { hostfile, oversubscribe: true }, ranks);
    notes.push(...some);
    place(k, placement);
  }
  const order = perHost ? defaultPlacement(platform, platform.hosts.length) : platform.hosts.keys();
  const hosts = [...order].map((host) => ({ host, cores: perHost ? 1 : platform.hosts[host]!.cores }));
  for (const [k, { ranks, hostfile }] of jobs.entries()) {
    if (hostfile !== undefined) continue;
    const free = hosts.filter(({ host }) => used[host] === 0);
    const left = perHost ? [] : hosts.map(({ host, cores }) => ({ host, cores: Math.max(0, cores - used[host]!) }));
    const found = [free, left].find((some) => some.reduce((sum, { cores }) => sum + cores, 0) >= ranks);
    if (found !== undefined) {
      const placement = placeRanks({ hosts: found }, ranks, kind);
      place(
        k,
        placement.map((at) => found[at]!.host),
      );
    } else place(k, perHost ? defaultPlacement(platform, ranks) : placeRanks(platform, ranks, kind));
  }
  const placement = Int32Array.from(placed.flatMap((hosts) => [...hosts]));
  const checked = description !== undefined || !(perHost || own);
  if (options.oversubscribe !== true && checked) checkCores(platform, placement);
  const others = perHost ? 'one rank per host, hosts sorted by name' : kind;
  const byFile = jobs.flatMap(({ name, hostfile }) => (hostfile === undefined ? [] : [name]));
  const without = byFile.length === 0 ? '' : `; ${byFile.join(', ')} by hostfile`;
  return {
    placement,
    name: `${others}, job after job${without}`,
    notes,
  };
}
