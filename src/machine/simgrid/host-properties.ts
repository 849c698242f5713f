import { type Place, type Problem, quote } from '../../base/problem.ts';
import { SETTING_NAMES } from '../network-settings.ts';
import type { HostCalls, HostPower } from '../platform.ts';
import { costs, isFault } from './config-values.ts';
import type { PlatformDraft } from './platform-draft.ts';
import type { XmlElement } from './xml-reader.ts';

const CALLS = ['sendCost', 'isendCost', 'receiveCost'] as const;
const callOf: ReadonlyMap<string, keyof HostCalls> = new Map(CALLS.map((key) => [SETTING_NAMES[key], key]));
const settings = new Set([...Object.values(SETTING_NAMES), 'network/loopback-bw', 'network/loopback-lat']);

/**
 * Reads the `<prop>` elements of hosts and clusters like SimGrid 3.32 (`smpi::Host`): `smpi/os`, `smpi/ois` and `smpi/or` are the
 * times of calls of the ranks on that host, whatever `<config>` or the command line says; those of a cluster are properties of
 * each of its hosts; `wattage_per_state` and `wattage_off` are their power. Of several with one name, the first one counts. SimGrid ignores other settings outside `<config>`: a
 * warning (PLAT050).
 */
export class HostProperties {
  readonly warnings: Problem[] = [];
  readonly #draft: PlatformDraft;
  /** The element whose properties were read last, and the times that it has so far. */
  #owner: XmlElement | undefined;
  #calls: HostCalls = {};
  /** The element whose power was read last, and its parts. */
  #powered: XmlElement | undefined;
  #power: HostPower | undefined;
  #off: number | undefined;

  constructor(draft: PlatformDraft) {
    this.#draft = draft;
  }

  /**
   * Reads a property of `owner`. Malformed values are problems (PLAT007).
   *
   * @param first index of the first host of the owner; its others follow
   */
  read({ attributes, place }: XmlElement, owner: XmlElement, first: number): void {
    const { id: name = '', value = '' } = attributes;
    if (name === 'wattage_per_state' || name === 'wattage_off') this.#readPower(name, owner, value, first, place);
    if (name === 'watt_per_state')
      this.warnings.push({
        code: 'PLAT050',
        message: `property "watt_per_state" of ${owner.name} ${quote(owner.attributes['id'] ?? '')} is not applied: SimGrid 3.32 reads "wattage_per_state"`,
        place,
      });
    if (!settings.has(name)) return;
    const of = `${owner.name} ${quote(owner.attributes['id'] ?? '')}`;
    const ignored = (why: string): void => {
      this.warnings.push({
        code: 'PLAT050',
        message: `property ${quote(name)} of ${of} is not applied: ${why}`,
        place,
      });
    };
    const key = owner.name === 'host' || owner.name === 'cluster' ? callOf.get(name) : undefined;
    if (key === undefined) {
      const where = callOf.has(name) ? 'in <config>, hosts and clusters' : 'in <config>';
      ignored(`SimGrid reads it only ${where}`);
      return;
    }
    if (this.#owner !== owner) this.#calls = {};
    this.#owner = owner;
    if (this.#calls[key] !== undefined) {
      ignored('an earlier <prop> sets it');
      return;
    }
    const cost = costs(value);
    if (isFault(cost)) {
      const message = `value ${quote(value)} of ${quote(name)} of ${of}: expected ${cost.expected}`;
      this.#draft.problems.add('PLAT007', message, place);
      return;
    }
    this.#calls = { ...this.#calls, [key]: cost };
    this.#draft.setProperties(first, { calls: this.#calls });
  }

  /** Power of each `pstate`, `IDLE:ALL_CORES` or `IDLE:EPSILON:ALL_CORES` in watts; of several properties, the first counts. */
  #readPower(name: string, owner: XmlElement, value: string, first: number, place: Place): void {
    if (this.#powered !== owner) [this.#power, this.#off] = [undefined, undefined];
    this.#powered = owner;
    if (name === 'wattage_off') {
      if (this.#off === undefined) this.#readOff(owner, value, place);
      this.#setPower(first);
      return;
    }
    if (this.#power !== undefined) return;
    const { pstate = '0', id = '', speed = '' } = owner.attributes;
    const count = speed.split(',').length;
    const states = value
      .split(',')
      .map((state) => state.split(':').map((watts) => (watts.trim() === '' ? Number.NaN : Number(watts))));
    const [idle, ...more] = states[Number(pstate)] ?? [];
    const full = more.at(-1);
    if (
      states.some(
        (state) => state.length < 2 || state.length > 3 || !state.every((watts) => watts >= 0 && watts < Infinity),
      ) ||
      idle === undefined ||
      full === undefined ||
      states.length !== count
    ) {
      const message = `value ${quote(value)} of "wattage_per_state" of ${owner.name} ${quote(id)}: expected IDLE:EPSILON:ALL_CORES in watts for each pstate, such as "95:120:200"${states.length === count ? '' : `, ${count} of them as the host has ${count} ${count === 1 ? 'speed' : 'speeds'}, got ${states.length}`}`;
      this.#draft.problems.add('PLAT007', message, place);
      return;
    }
    this.#power = { idle, busy: more.length === 2 ? more[0]! : idle, full };
    this.#setPower(first);
  }

  /** Power of a host that has failed. */
  #readOff(owner: XmlElement, value: string, place: Place): void {
    const watts = value.trim() === '' ? Number.NaN : Number(value);
    if (watts >= 0 && watts < Infinity) {
      this.#off = watts;
      return;
    }
    const message = `value ${quote(value)} of "wattage_off" of ${owner.name} ${quote(owner.attributes['id'] ?? '')}: expected watts, such as "10"`;
    this.#draft.problems.add('PLAT007', message, place);
  }

  #setPower(first: number): void {
    if (this.#power === undefined) return;
    const power = { ...this.#power, ...(this.#off === undefined ? {} : { off: this.#off }) };
    this.#draft.setProperties(first, { power });
  }
}
