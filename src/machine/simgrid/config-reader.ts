import type { Problems } from '../../base/problem.ts';
import { type Problem, quote } from '../../base/problem.ts';
import type { CallCost, Steps } from '../network-model.ts';
import { type NetworkSettings, SETTING_NAMES } from '../network-settings.ts';
import type { CollectiveSetting } from '../platform.ts';
import { collectiveOperation, configEffect } from './config-effects.ts';
import type { XmlElement } from './xml-reader.ts';

type Draft = { -readonly [K in keyof NetworkSettings]: NetworkSettings[K] };
/** Parses the value of a setting; returns a description of the expected form if it is malformed. */
type Parse<T> = (text: string) => T | { readonly expected: string };

/** Fraction of a flow's rate that its acknowledgements use when cross-traffic is on. */
const CROSS_TRAFFIC = 0.05;

const parsers: { readonly [K in keyof NetworkSettings]-?: Parse<NonNullable<NetworkSettings[K]>> } = {
  latencyFactor: factors,
  bandwidthFactor: factors,
  // 0 or less: no TCP window, so the rate of flows is not limited.
  window: (text) => mapped(decimal(text), (bytes) => (bytes > 0 ? bytes : Number.POSITIVE_INFINITY)),
  weightS: decimal,
  crossTraffic: (text) => mapped(boolean(text), (on) => (on ? CROSS_TRAFFIC : 0)),
  testSleep: decimal,
  eagerBelow: integer,
  detachedBelow: integer,
  sendCost: costs,
  isendCost: costs,
  receiveCost: costs,
};
const APPLIED = [...Object.values(SETTING_NAMES), 'network/loopback-bw', 'network/loopback-lat'];
const keys = new Map(Object.entries(SETTING_NAMES).map(([key, name]) => [name, key as keyof NetworkSettings]));

/**
 * Reads the `<prop>` elements of `<config>` like SimGrid 3.32's smpirun: if a name is given several times, the first
 * value is used. Settings of the network model are applied. Others that would change SimGrid's times give a note for every
 * result (PLAT051); those that SimGrid does not use either give a warning (PLAT050).
 */
export class ConfigReader {
  readonly settings: NetworkSettings;
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

  /** Reads one setting. Malformed values are problems (PLAT007). */
  read(element: XmlElement): void {
    const { id: name = '', value = '' } = element.attributes;
    if (this.#seen.has(name)) {
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
    const value = (parsers[key] as Parse<NonNullable<NetworkSettings[K]>>)(text);
    if (isFault(value)) this.#wrong(element, value.expected);
    else if (!isFreeCall(value)) this.#draft[key] = value;
  }

  #loopback(element: XmlElement, part: 'bandwidth' | 'latency', text: string): void {
    const value = decimal(text);
    if (isFault(value) || (part === 'bandwidth' && value === 0)) this.#wrong(element, 'a number > 0, without unit');
    else this.loopback = { ...this.loopback, [part]: value };
  }

  #other(element: XmlElement, name: string, value: string): void {
    const effect = configEffect(name, value, APPLIED);
    if (effect.kind === 'unused') this.#warn(element, effect.why);
    if (effect.kind !== 'not applied') return;
    const why = effect.why.replace(/[.?]?$/, (end) => (end === '' ? '.' : end));
    const message = `NOT APPLIED: setting ${quote(name)} with value ${quote(value)} in <config>: ${why} SimGrid's times differ`;
    const note: Problem = { code: 'PLAT051', message, place: element.place };
    const operation = collectiveOperation(name);
    if (operation === undefined) this.notes.push(note);
    else this.collectives.push({ ...(operation === '' ? {} : { operation }), value: value.trim(), note });
  }

  #wrong({ attributes, place }: XmlElement, expected: string): void {
    const { id = '', value = '' } = attributes;
    this.#problems.add('PLAT007', `value ${quote(value)} of ${quote(id)} in <config>: expected ${expected}`, place);
  }

  #warn({ attributes, place }: XmlElement, why: string): void {
    const message = `setting ${quote(attributes['id'] ?? '')} in <config> is not applied: ${why}`;
    this.warnings.push({ code: 'PLAT050', message, place });
  }
}

function isFault<T>(value: T | { readonly expected: string }): value is { readonly expected: string } {
  return typeof value === 'object' && value !== null && 'expected' in value;
}

function mapped<T, U>(
  value: T | { readonly expected: string },
  to: (value: T) => U,
): U | { readonly expected: string } {
  return isFault(value) ? value : to(value);
}

function decimal(text: string): number | { readonly expected: string } {
  const value = Number(text);
  const sound = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(value);
  return sound ? value : { expected: 'a number without unit' };
}

function integer(text: string): number | { readonly expected: string } {
  const sound = /^(?:\d{1,10}|0x[\da-f]{1,8})$/i.test(text) && Number(text) < 2 ** 31;
  return sound ? Number(text) : { expected: 'an integer from 0 to 2^31 - 1, without unit' };
}

function boolean(text: string): boolean | { readonly expected: string } {
  if (['yes', 'on', 'true', '1'].includes(text)) return true;
  return ['no', 'off', 'false', '0'].includes(text) ? false : { expected: 'yes, on, true, 1, no, off, false or 0' };
}

/** `THRESHOLD:FACTOR;THRESHOLD:FACTOR`: a factor applies above its threshold; further values of an entry are ignored. */
function factors(text: string): Steps | { readonly expected: string } {
  const entries = text.split(';').filter((one) => one !== '');
  const pairs = entries.map((one) => {
    const [above = '', value = ''] = one.split(':');
    return { above: integer(above), value: decimal(value) };
  });
  const steps = pairs.flatMap(({ above, value }) =>
    isFault(above) || isFault(value) || value <= 0 ? [] : [{ above, value }],
  );
  if (steps.length < pairs.length) return { expected: 'THRESHOLD:FACTOR;THRESHOLD:FACTOR, with factors > 0' };
  // If a threshold is given several times, the last entry is used.
  const last = [...new Map(steps.map((s) => [s.above, s])).values()].sort((a, b) => a.above - b.above);
  return { above: last.map((s) => s.above), values: last.map((s) => s.value) };
}

/** `THRESHOLD:SECONDS:SECONDS_PER_BYTE;…`: an entry applies above its threshold, the lowest one also up to it. */
function costs(text: string): CallCost | { readonly expected: string } {
  const entries = text.split(';').filter((one) => one !== '');
  const pieces = entries.flatMap((one) => {
    const [above = '', seconds = '', perByte = '0'] = one.split(':');
    const piece = { above: integer(above), seconds: decimal(seconds), perByte: decimal(perByte) };
    const { above: a, seconds: s, perByte: b } = piece;
    return isFault(a) || isFault(s) || isFault(b) || s < 0 || b < 0 ? [] : [{ above: a, seconds: s, perByte: b }];
  });
  if (pieces.length < entries.length || pieces.length === 0)
    return { expected: 'THRESHOLD:SECONDS:SECONDS_PER_BYTE;…, with seconds >= 0' };
  const sorted = pieces.sort((a, b) => a.above - b.above);
  // Of several entries with one threshold, the last one applies above it, and the first one up to it if it is the lowest.
  const lowest = { ...sorted[0]!, above: -1 };
  const kept = [lowest, ...new Map(sorted.map((piece) => [piece.above, piece])).values()];
  return {
    above: kept.map((piece) => piece.above),
    seconds: kept.map((piece) => piece.seconds),
    perByte: kept.map((piece) => piece.perByte),
  };
}

/** True for call costs that are 0 for all messages: the model then has none. */
function isFreeCall(value: unknown): boolean {
  const { seconds, perByte } = value as Partial<CallCost>;
  return seconds?.every((s) => s === 0) === true && perByte?.every((s) => s === 0) === true;
}
