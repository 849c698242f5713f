import type { Problems } from '../../base/problem.ts';
import { didYouMean, type Problem, quote } from '../../base/problem.ts';
import { type NetworkSettings, SETTING_NAMES } from '../network-settings.ts';
import type { CollectiveSetting } from '../platform.ts';
import { collectiveOperation, configEffect, configNames, isKnownSetting } from './config-effects.ts';
import {
  amount,
  boolean,
  costs,
  decimal,
  FAIR,
  factors,
  integer,
  isFault,
  isFreeCall,
  mapped,
  type Parse,
  solver,
} from './config-values.ts';
import type { XmlElement } from './xml-reader.ts';

type Draft = { -readonly [K in keyof NetworkSettings]: NetworkSettings[K] };
/** Fraction of a flow's rate that its acknowledgements use when cross-traffic is on. */
const CROSS_TRAFFIC = 0.05;

const parsers: { readonly [K in keyof NetworkSettings]-?: Parse<NonNullable<NetworkSettings[K]> | typeof FAIR> } = {
  latencyFactor: factors,
  bandwidthFactor: factors,
  // 0 or less: no TCP window, so the rate of flows is not limited.
  window: (text) => mapped(decimal(text), (bytes) => (bytes > 0 ? bytes : Number.POSITIVE_INFINITY)),
  weightS: amount,
  crossTraffic: (text) => mapped(boolean(text), (on) => (on ? CROSS_TRAFFIC : 0)),
  testSleep: amount,
  eagerBelow: integer,
  detachedBelow: integer,
  sendCost: costs,
  isendCost: costs,
  receiveCost: costs,
  solver,
};
/** The place of settings of the command line. */
const OPTION = { part: '--cfg' } as const;
const whereOf = ({ place }: XmlElement): string => (place === OPTION ? 'of --cfg' : 'in <config>');
const isSetting = (name: string): boolean => APPLIED.includes(name) || isKnownSetting(name);
const APPLIED = [...Object.values(SETTING_NAMES), 'network/loopback-bw', 'network/loopback-lat'];
const keys = new Map(Object.entries(SETTING_NAMES).map(([key, name]) => [name, key as keyof NetworkSettings]));

/**
 * Reads the `<prop>` elements of `<config>` like SimGrid 3.32's smpirun: if a name is given several times, the first
 * value is used. Settings of the network model are applied. Others that would change SimGrid's times give a note for every
 * result (PLAT051); those that SimGrid does not use either give a warning (PLAT050).
 */
export class ConfigReader {
  readonly settings: NetworkSettings;
  /** Settings of the network model that `--cfg` gives. */
  readonly forced: (keyof NetworkSettings)[] = [];
  readonly warnings: Problem[] = [];
  readonly notes: Problem[] = [];
  /** Algorithms of collectives; which of them are modelled is known to the reader of options. */
  readonly collectives: CollectiveSetting[] = [];
  /** Overrides of the default loopback link, in byte/s and seconds. */
  loopback: { readonly bandwidth?: number; readonly latency?: number } = {};
  readonly #draft: Draft = {};
  readonly #seen = new Map<string, XmlElement>();
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
    this.settings = this.#draft;
  }

  /**
   * Reads the settings of SimGrid's option `--cfg`, before the file: `KEY:VALUE`, several of them separated by spaces or commas. If
   * one name is given several times, the last one counts. They override `<config>` and the settings of a network model's name.
   * Malformed settings and unknown names are problems (PLAT052).
   */
  command(text: string): void {
    const given = new Map<string, string>();
    const parts = text.split(/[\s,]+/).filter((part) => part !== '');
    if (parts.length === 0) this.#problems.add('PLAT052', `expected KEY:VALUE, got ${quote(text)}`, OPTION);
    for (const one of parts) {
      const [, name = '', value = ''] = /^([^:]+):(.*)$/.exec(one) ?? [];
      if (name === '') this.#problems.add('PLAT052', `expected KEY:VALUE, got ${quote(one)}`, OPTION);
      else given.set(name, value);
    }
    for (const [name, value] of given) {
      if (!isSetting(name)) {
        const near = didYouMean(name, [...APPLIED, ...configNames()]);
        this.#problems.add('PLAT052', `SimGrid 3.32 has no setting ${quote(name)}.${near}`, OPTION);
        continue;
      }
      this.read({ name: 'prop', attributes: { id: name, value }, place: OPTION });
      const key = keys.get(name);
      if (key !== undefined) this.forced.push(key);
    }
  }

  /** Reads one setting. Malformed values are problems (PLAT007). */
  read(element: XmlElement): void {
    const { id: name = '', value = '' } = element.attributes;
    const before = this.#seen.get(name);
    if (before !== undefined) {
      if (before.place === OPTION) return;
      this.#warn(element, 'an earlier <prop> sets it');
      return;
    }
    this.#seen.set(name, element);
    const key = keys.get(name);
    if (key !== undefined) this.#set(key, element, value);
    else if (name === 'network/loopback-bw') this.#loopback(element, 'bandwidth', value);
    else if (name === 'network/loopback-lat') this.#loopback(element, 'latency', value);
    else this.#other(element, name, value);
  }

  /**
   * Called after the last setting. The eager threshold must not exceed the detached threshold, because eager sends
   * never wait (PLAT007).
   */
  end(): void {
    const { eagerBelow = 0, detachedBelow = 65536 } = this.settings;
    const element = this.#seen.get(SETTING_NAMES.eagerBelow) ?? this.#seen.get(SETTING_NAMES.detachedBelow);
    if (eagerBelow <= detachedBelow || element === undefined) return;
    const message = `${SETTING_NAMES.eagerBelow} is ${eagerBelow}: expected at most ${detachedBelow}, the value of ${SETTING_NAMES.detachedBelow}`;
    this.#problems.add('PLAT007', message, element.place);
  }

  #set<K extends keyof NetworkSettings>(key: K, element: XmlElement, text: string): void {
    const value = (parsers[key] as Parse<NonNullable<NetworkSettings[K]> | typeof FAIR>)(text);
    if (isFault(value)) this.#wrong(element, value.expected);
    else if (value !== FAIR && !isFreeCall(value)) this.#draft[key] = value;
  }

  #loopback(element: XmlElement, part: 'bandwidth' | 'latency', text: string): void {
    const value = amount(text);
    if (isFault(value)) this.#wrong(element, value.expected);
    else if (part === 'bandwidth' && value === 0) this.#wrong(element, 'a number > 0, without unit');
    else this.loopback = { ...this.loopback, [part]: value };
  }

  #other(element: XmlElement, name: string, value: string): void {
    const effect = configEffect(name, value, APPLIED);
    if (effect.kind === 'unused') this.#warn(element, effect.why);
    if (effect.kind !== 'not applied') return;
    const why = effect.why.replace(/[.?]?$/, (end) => (end === '' ? '.' : end));
    const message = `NOT APPLIED: setting ${quote(name)} with value ${quote(value)} ${whereOf(element)}: ${why} SimGrid's times differ`;
    const note: Problem = { code: 'PLAT051', message, place: element.place };
    const operation = collectiveOperation(name);
    if (operation === undefined) this.notes.push(note);
    else this.collectives.push({ ...(operation === '' ? {} : { operation }), value: value.trim(), note });
  }

  #wrong(element: XmlElement, expected: string): void {
    const { attributes, place } = element;
    const { id = '', value = '' } = attributes;
    this.#problems.add(
      'PLAT007',
      `value ${quote(value)} of ${quote(id)} ${whereOf(element)}: expected ${expected}`,
      place,
    );
  }

  #warn(element: XmlElement, why: string): void {
    const { attributes, place } = element;
    const message = `setting ${quote(attributes['id'] ?? '')} ${whereOf(element)} is not applied: ${why}`;
    this.warnings.push({ code: 'PLAT050', message, place });
  }
}
