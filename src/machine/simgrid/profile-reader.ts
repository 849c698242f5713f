import { dirname, isAbsolute, join } from 'node:path';
import { didYouMean, InputError, type Place, quote } from '../../base/problem.ts';
import type { HostProfiles, LinkProfiles, Profile } from '../platform.ts';
import { suggest } from '../platform.ts';
import { readTextFile } from '../text-file.ts';
import { decimal, isFault } from './config-values.ts';
import { type PlatformDraft, parseQuantity, timeUnits } from './platform-draft.ts';
import type { XmlElement } from './xml-reader.ts';

type Part =
  | { readonly kind: 'host'; readonly key: keyof HostProfiles }
  | { readonly kind: 'link'; readonly key: keyof LinkProfiles };

/** Attributes of hosts and peers, and of links, that name the file of a profile. */
export const HOST_FILES = { speed_file: 'speed', state_file: 'state' } as const;
export const LINK_FILES = { bandwidth_file: 'bandwidth', latency_file: 'latency', state_file: 'state' } as const;

/** Profiles as a member of a host or link; no member without profiles. */
export const profilesIn = <P extends object>(profiles: P): { readonly profiles?: P } =>
  Object.keys(profiles).length === 0 ? {} : { profiles };

/** Values of `kind` of `<trace_connect>`. */
const KINDS: Readonly<Record<string, Part>> = {
  HOST_AVAIL: { kind: 'host', key: 'state' },
  SPEED: { kind: 'host', key: 'speed' },
  LINK_AVAIL: { kind: 'link', key: 'state' },
  BANDWIDTH: { kind: 'link', key: 'bandwidth' },
  LATENCY: { kind: 'link', key: 'latency' },
};

/** Limits of a file of a profile. */
const MAX_BYTES = 16 * 2 ** 20;
const MAX_ENTRIES = 100_000;

/** A profile that no host or link has yet, and the place of each of its lines. */
interface Written {
  readonly profile: Profile;
  readonly placeOf: (entry: number) => Place;
}

/**
 * Reads profiles of hosts and links (SimGrid 3.32): their files, `<trace>` and `<trace_connect>`. A connection may precede the trace,
 * the host or the link that it names, so connections are made at the end. Problems (PLAT014) are added to the draft.
 */
export class ProfileReader {
  readonly #draft: PlatformDraft;
  readonly #folder: string;
  readonly #traces = new Map<string, Written | undefined>();
  readonly #connections: XmlElement[] = [];
  /** Paths of the files that were read. */
  readonly files: string[] = [];
  readonly #read = new Map<string, Written | undefined>();
  /** The text of the open `<trace>`, and the place where it begins. */
  #text = '';
  #textPlace: Place = {};

  constructor(draft: PlatformDraft, platform: string) {
    this.#draft = draft;
    this.#folder = dirname(platform);
  }

  #fault(message: string, place: Place): undefined {
    this.#draft.problems.add('PLAT014', message, place);
    return undefined;
  }

  /** The profiles that the attributes of an element name, by their quantities. */
  ofAttributes<K extends string>(element: XmlElement, names: Readonly<Record<string, K>>): { [key in K]?: Profile } {
    const found: { [key in K]?: Profile } = {};
    for (const [attribute, key] of Object.entries(names)) {
      const file = element.attributes[attribute];
      if (file === undefined || file === '') continue;
      const written = this.#file(file, element.place);
      const of = `${attribute} of ${element.name} ${quote(element.attributes['id'] ?? '')}`;
      if (written !== undefined && this.#fits(key, written, of)) found[key] = written.profile;
    }
    return found;
  }

  beginTrace({ place }: XmlElement): void {
    this.#text = '';
    this.#textPlace = place;
  }

  traceText(text: string): void {
    this.#text += text;
  }

  endTrace(element: XmlElement): void {
    const { id = '', file = '', periodicity = '' } = element.attributes;
    if (this.#traces.has(id)) this.#fault(`trace ${quote(id)} is defined twice`, element.place);
    this.#traces.set(id, undefined);
    let period: number | undefined;
    if (periodicity !== '') {
      const value = parseQuantity(periodicity, timeUnits);
      if (typeof value === 'string')
        return void this.#fault(`periodicity ${quote(periodicity)} of trace ${quote(id)}: ${value}`, element.place);
      if (value > 0) period = value;
    }
    // Lines of the contents are counted from the start tag, as long as that has one line.
    const { line } = this.#textPlace;
    const placeOf = (k: number): Place =>
      line === undefined ? element.place : { ...this.#textPlace, line: line + k, column: 1 };
    // SimGrid takes the file if both are given.
    const written = file === '' ? this.#parse(this.#text, placeOf, period) : this.#file(file, element.place);
    if (file !== '' && this.#text.trim() !== '')
      this.#fault(`trace ${quote(id)} has a file and contents: expected one of them`, element.place);
    if (written !== undefined) this.#traces.set(id, written);
  }

  connect(element: XmlElement): void {
    this.#connections.push(element);
  }

  /** Makes the connections. */
  end(): void {
    for (const { attributes, place } of this.#connections) {
      const { kind = 'HOST_AVAIL', trace: id = '', element = '' } = attributes;
      const part = KINDS[kind];
      if (part === undefined) {
        this.#fault(`kind ${quote(kind)} of <trace_connect>.${didYouMean(kind, Object.keys(KINDS))}`, place);
        continue;
      }
      if (!this.#traces.has(id)) {
        this.#fault(`unknown trace ${quote(id)}.${didYouMean(id, [...this.#traces.keys()])}`, place);
        continue;
      }
      const written = this.#traces.get(id);
      if (written === undefined) continue;
      if (this.#fits(part.key, written, `trace ${quote(id)}, as ${part.key} of ${part.kind} ${quote(element)}`))
        this.#connected(part, element, written.profile, place);
    }
  }

  #connected(part: Part, name: string, profile: Profile, place: Place): undefined {
    const draft = this.#draft;
    const twice = (): undefined =>
      this.#fault(`${part.kind} ${quote(name)} has two profiles of its ${part.key}`, place);
    if (part.kind === 'host') {
      const host = draft.pointByName.get(name)?.host;
      if (host === undefined) {
        if (draft.incomplete) return undefined;
        const names = draft.hosts.map((h) => h.name);
        return this.#fault(`<trace_connect>: unknown host ${quote(name)}.${suggest(name, names, names.length)}`, place);
      }
      const { profiles = {} } = draft.hosts[host]!;
      if (profiles[part.key] !== undefined) return twice();
      draft.hosts[host] = { ...draft.hosts[host]!, profiles: { ...profiles, [part.key]: profile } };
      return undefined;
    }
    const index = draft.link(name);
    if (index === undefined) {
      if (draft.incomplete) return undefined;
      const split =
        draft.splitLink(name) === undefined
          ? ''
          : ` It is SPLITDUPLEX: give ${quote(`${name}_UP`)} or ${quote(`${name}_DOWN`)}.`;
      const help = split === '' ? suggest(name, draft.linkNames(), draft.links.length) : split;
      return this.#fault(`<trace_connect>: unknown link ${quote(name)}.${help}`, place);
    }
    const link = draft.links.at(index)!;
    const { profiles = {} } = link;
    if (profiles[part.key] !== undefined) return twice();
    draft.links.set(index, { ...link, profiles: { ...profiles, [part.key]: profile } });
    return undefined;
  }

  /** The profile of a file, relative to the folder of the platform; each file is read once. */
  #file(name: string, place: Place): Written | undefined {
    const file = isAbsolute(name) ? name : join(this.#folder, name);
    if (this.#read.has(file)) return this.#read.get(file);
    this.#read.set(file, undefined);
    let text: string;
    try {
      text = readTextFile(file, { limit: MAX_BYTES, code: 'PLAT014', expected: 'lines of a time and a value' });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const problem of error.problems) this.#fault(`profile ${quote(name)}: ${problem.message}`, place);
      return undefined;
    }
    this.files.push(file);
    const written = this.#parse(text, (k) => ({ file, line: k + 1, column: 1 }));
    this.#read.set(file, written);
    return written;
  }

  /** Lines `TIME VALUE`, `PERIODICITY SECONDS` or `LOOPAFTER SECONDS`; comments begin with # or %. */
  #parse(text: string, placeOf: (line: number) => Place, given?: number): Written | undefined {
    const times: number[] = [];
    const values: number[] = [];
    const lines: number[] = [];
    let again: { readonly word: string; readonly seconds: number; readonly line: number } | undefined;
    let isSound = true;
    const wrong = (message: string, k: number): void => {
      isSound = false;
      this.#fault(message, placeOf(k));
    };
    for (const [k, whole] of text.split(/\r\n|\r|\n/).entries()) {
      const line = whole.trim();
      if (line === '' || line.startsWith('#') || line.startsWith('%')) continue;
      const words = line.split(/\s+/);
      const [first = '', second = ''] = words;
      if (first === 'STOCHASTIC' || /^[A-Z]+$/.test(second)) {
        wrong(`${quote(line)}: profiles that are drawn at random are not modelled; give times and values`, k);
        break;
      }
      if (first === 'PERIODICITY' || first === 'LOOPAFTER') {
        const seconds = numberOf(second);
        if (words.length !== 2 || !(seconds >= 0)) wrong(`${quote(line)}: expected ${first} and seconds from 0 on`, k);
        else if (again !== undefined) wrong(`${quote(line)} after ${again.word}: expected one of them, once`, k);
        else again = { word: first, seconds, line: k };
        continue;
      }
      const [time, value] = [numberOf(first), numberOf(second)];
      const before = times.at(-1) ?? 0;
      if (words.length !== 2 || Number.isNaN(time) || Number.isNaN(value))
        wrong(`${quote(line)}: expected a time in seconds and a value, or PERIODICITY or LOOPAFTER and seconds`, k);
      else if (time < before)
        wrong(
          `time ${time} s after ${before} s: expected times that ascend${times.length === 0 ? ' from 0 s on' : ''}`,
          k,
        );
      else if (times.length === MAX_ENTRIES) {
        wrong(`the profile has more than ${MAX_ENTRIES} lines`, k);
        break;
      } else {
        times.push(time);
        values.push(value);
        lines.push(k);
      }
    }
    if (!isSound) return undefined;
    const last = times.at(-1);
    if (last === undefined) return this.#fault('the profile has no line of a time and a value', placeOf(0));
    if (given !== undefined && again !== undefined)
      return this.#fault(`${again.word} in a trace with periodicity: expected one of them`, placeOf(again.line));
    const period =
      given ?? (again === undefined ? undefined : again.word === 'LOOPAFTER' ? last + again.seconds : again.seconds);
    if (period !== undefined && period > 0 && period < last)
      return this.#fault(
        `the profile is repeated after ${period} s, before its last time: expected at least ${last} s`,
        placeOf(again?.line ?? 0),
      );
    if (period === 0 && again?.word === 'LOOPAFTER')
      return this.#fault('the profile is repeated at once: expected LOOPAFTER and more than 0 s', placeOf(again.line));
    return {
      profile: { times, values, ...(period === undefined || period === 0 ? {} : { period }) },
      placeOf: (entry) => placeOf(lines[entry]!),
    };
  }

  /** True if the values of a profile are in the range of its quantity; reports one that is not. */
  #fits(key: string, { profile, placeOf }: Written, of: string): boolean {
    const k = profile.values.findIndex((value) => !RANGES[key]!.test(value));
    if (k < 0) return true;
    this.#fault(
      `${of}: value ${profile.values[k]} at ${profile.times[k]} s: expected ${RANGES[key]!.expected}`,
      placeOf(k),
    );
    return false;
  }
}

const RANGES: Readonly<Record<string, { readonly test: (value: number) => boolean; readonly expected: string }>> = {
  speed: {
    test: (v) => v > 0,
    expected: 'a factor on the speed above 0; a host that fails has a state of 0 (state_file, HOST_AVAIL)',
  },
  bandwidth: {
    test: (v) => v > 0,
    expected: 'byte/s above 0; a link that fails has a state of 0 (state_file, LINK_AVAIL)',
  },
  latency: { test: (v) => v >= 0, expected: 'seconds from 0 on' },
  state: { test: (v) => v === 0 || v === 1, expected: '0 (it fails) or 1' },
};

/** The finite number that a word is, or NaN. */
function numberOf(word: string): number {
  const value = decimal(word);
  return isFault(value) ? Number.NaN : value;
}
