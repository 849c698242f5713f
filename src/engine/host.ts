import type { Code } from '../base/codes.ts';
import { type LoggedFirings, loggedFirings } from '../base/logged-firings.ts';
import { ownOf } from '../base/own.ts';
import { isProcess } from '../base/random/process-stream.ts';
import type { Streams } from '../base/random/streams.ts';
import { type CompiledKernel, type Contents, Kernel, type KernelArray } from '../kernel/kernel.ts';
import type { Memory } from '../kernel/memory.ts';
import { drawer } from '../net/distributions/laws.ts';
import type { StationService } from '../net/net.ts';
import { clocksOf } from '../net/race-timing.ts';
import { plainZeros } from '../net/table-page.ts';
import { drawsOf } from './emit/draw.ts';
import type { Emission } from './emit/emission.ts';
import { linkArrays } from './emit/max-min/link-arrays.ts';
import { callsOf } from './emit/prelude.ts';
import { seenShape } from './emit/services/race.ts';
import { isShared, type SharedService } from './emit/services/service.ts';
import { STREAM_STATE } from './emit/stream.ts';
import { fillRows, valuesOf } from './emit/table-rows.ts';
import { MAX_KEYS, MAX_WAITING } from './limits.ts';
import type { FiringLog, Observed } from './observers.ts';
import { Pager } from './pager.ts';
import { type RaceCode, Races } from './races.ts';
import { runError, tooMany } from './run-error.ts';
import type { Events } from './station.ts';
import { type Discipline, type Refuse, Station } from './station.ts';
import { renumber, sortMany } from './tokens.ts';

/** There were more steps at one instant than allowed (S13). */
export class EndlessInstant extends Error {}

// biome-ignore lint/suspicious/noExplicitAny: the kernel text declares the parameters
type HostFunction = (...args: any[]) => any;

/**
 * The functions that the code of a net calls: stations, the clocks of races, draws from most distributions, functions of the net,
 * observers, errors, and rare operations.
 */
export class Host {
  readonly kernel: Kernel;
  /** Stations by service number; `undefined` for services that the generated code implements. */
  readonly services: readonly (Station | undefined)[];
  readonly races: Races | undefined;
  /** True once the initial marking is complete: only later changes are reported to observers. */
  begun = false;
  readonly #e: Emission;
  readonly #log: FiringLog | undefined;
  #logged: LoggedFirings | undefined;
  readonly #stamps = new Map<string, Map<string, number>>();
  #pending: unknown;

  constructor(e: Emission, code: CompiledKernel, observed: Observed, streams: Streams, cleared?: Memory) {
    this.#e = e;
    this.#log = e.options.logged.size > 0 ? observed.log : undefined;
    const call = (name: string, ...args: number[]): number => this.kernel.call[name]!(...args);
    const events: Events = {
      enter: (time, order, kind, value) => call('enterEvent', time, order, kind, value),
      remove: (node) => call('removeEvent', node),
      nextOrder: () => call('nextOrder'),
    };
    this.services = e.services.map((_, k) => stationOf(e, k, events));
    this.races =
      e.races.length === 0 ? undefined : new Races(this.#raceCodes(), events, e.plans.length + e.services.length);
    const choice = (): number => call('drawChoice');
    const chooses = (process: number): number => {
      const own = streams.ofProcesses('choice', '');
      own.begin(process);
      return own.draw();
    };
    const functions: Record<string, HostFunction> = {
      fail: (number: number, a: number, b: number, c: number, d: number) => this.#fail(number, [a, b, c, d]),
      raise: () => {
        throw this.#pending;
      },
      renumber: () => renumber(e, this.kernel),
      readLog: () => this.readLog(),
      sortMany: (level: number, mark: number) => sortMany(e, this.kernel, level, mark),
      ...this.#functions(),
      ...this.#draws(streams),
      ...this.#observers(observed),
      ...this.#serviceCalls(),
      chooses,
      ...this.#raceCalls(choice, chooses),
      ...this.#stampCalls(),
      ...this.#pages(),
    };
    this.kernel = new Kernel(code, functions, tablesOf(e), cleared);
    for (const { purpose, owner, at } of drawsOf(e)) {
      if (at < 0) continue;
      const { s0, s1, s2, c } = streams.stream(purpose, owner).state();
      const words = [s0, s1, s2].map((s) => (s * 2 ** 32) | 0);
      this.kernel.array('streams').set([...words, c], at * STREAM_STATE);
    }
  }

  /** Passes the firings logged since the last call to the reader of the log. */
  readLog(): void {
    if (this.#log === undefined) return;
    const { kernel } = this;
    const length = kernel.get('logged');
    if (length === 0) return;
    kernel.set('logged', 0);
    // A view has length 0 once its memory has grown.
    if ((this.#logged?.numbers.length ?? 0) === 0)
      this.#logged = loggedFirings(kernel.array<Float64Array<ArrayBuffer>>('log'));
    this.#log.read(this.#logged!, length);
  }

  stamps(): (readonly [string, Map<string, number>])[] {
    return [...this.#stamps];
  }

  restoreStamps(saved: readonly (readonly [string, Map<string, number>])[]): void {
    for (const [id, stamps] of saved) for (const [key, step] of stamps) this.#stamps.get(id)!.set(key, step);
  }

  #fail(number: number, details: readonly number[]): void {
    if (number === 1) throw new EndlessInstant();
    this.#failed(() => runError(this.#e, `RUN${String(number).padStart(3, '0')}` as Code, details));
  }

  /** Throws the error; within a guard whose other parts may still be false (S7), keeps the first error for later. */
  #failed(error: () => unknown): number {
    if (this.kernel.get('soft') === 0) throw error();
    if (this.kernel.get('trouble') === 0)
      try {
        this.#pending = error();
      } catch (thrown) {
        this.#pending = thrown;
      }
    this.kernel.set('failed', 1);
    this.kernel.set('trouble', 1);
    return 0;
  }

  #functions(): Record<string, HostFunction> {
    return Object.fromEntries(
      callsOf(this.#e.net).map(({ id, number }) => {
        const { apply } = this.#e.net.functions![number]!;
        const value = (...args: number[]): number => {
          let v: unknown;
          try {
            v = apply(...args);
          } catch (error) {
            return this.#failed(() => error);
          }
          const n = typeof v === 'number' ? v : typeof v === 'boolean' ? Number(v) : Number.NaN;
          return Number.isNaN(n) ? this.#failed(() => runError(this.#e, 'RUN009', [number])) : n + 0;
        };
        return [id, value];
      }),
    );
  }

  #draws(streams: Streams): Record<string, HostFunction> {
    const draws: Record<string, HostFunction> = {};
    for (const { name, purpose, owner, ofProcesses, distribution, at } of drawsOf(this.#e))
      if (ofProcesses !== undefined) {
        const stream = streams.ofProcesses(purpose, owner);
        const drawn = drawer(distribution!, stream.draw);
        draws[name] = (process: number, ...parameters: number[]): number => {
          if (!isProcess(process)) runError(this.#e, 'RUN015', [ofProcesses, process]);
          stream.begin(process);
          return drawn(...parameters);
        };
      } else if (at < 0) draws[name] = drawer(distribution!, streams.stream(purpose, owner).draw);
    return draws;
  }

  #observers({ observers, counts, conflicts }: Observed): Record<string, HostFunction> {
    const nothing = (): void => {};
    const all: Record<string, HostFunction> = {};
    const named = (k: number): string => this.#e.plans[k]!.transition.name;
    if (conflicts !== undefined) all['conflict'] = (one: number, other: number) => conflicts(named(one), named(other));
    for (const p of this.#e.plans) {
      const own = ownOf(observers, p.transition.name);
      all[`O${p.number}`] = own?.start ?? nothing;
      all[`E${p.number}`] = own?.end ?? nothing;
    }
    for (const l of this.#e.layouts) {
      const observer = ownOf(counts, l.place.name);
      if (observer === undefined) continue;
      all[`count${l.number}`] = this.#e.isColoured(l)
        ? (time: number, change: number, ...values: number[]): void => {
            if (this.begun) observer(time, change, ...values);
          }
        : (time: number, change: number): void => {
            if (this.begun) observer(time, change);
          };
    }
    return all;
  }

  #serviceCalls(): Record<string, HostFunction> {
    const calls: Record<string, HostFunction> = {};
    this.services.forEach((s, k) => {
      if (s === undefined) return;
      calls[`enterStation${k}`] = (slot: number, time: number, priority: number, now: number, latest: number) =>
        s.enter(slot, time, priority, now, latest);
      calls[`doneStation${k}`] = (slot: number, now: number, latest: number) => s.done(slot, now, latest);
    });
    return calls;
  }

  #raceCodes(): RaceCode[] {
    return this.#e.races.map((p, x) => ({
      number: p.number,
      servers: clocksOf(p.transition),
      memory: p.transition.memory ?? 'enabling',
      priority: p.priority,
      look: () => this.kernel.call[`lookRace${x}`]!(),
      delay: (binding) => this.kernel.call[`wait${x}`]!(...binding),
      ...(this.#e.options.measures === undefined
        ? {}
        : { running: (on: boolean) => this.kernel.call[`racing${p.number}`]!(on ? 1 : 0) }),
      endless: (total) => runError(this.#e, 'RUN008', [p.number, total, 1]),
      late: (seconds) => runError(this.#e, 'RUN004', [p.number, seconds]),
      full: (what) => tooMany(`transition ${p.transition.name}`, what),
      fire: (slots, free) => this.kernel.call[`fire${p.number}`]!(...slots, ...free),
      ...(p.transition.weight === undefined
        ? {}
        : {
            weight: (slots: readonly number[], free: readonly number[]) =>
              this.kernel.call[`weight${p.number}`]!(...slots, ...free),
          }),
      ...(this.#e.choosesForProcess(p)
        ? {
            process: (slots: readonly number[], free: readonly number[]) =>
              this.kernel.call[`process${p.number}`]!(...slots, ...free),
          }
        : {}),
    }));
  }

  #raceCalls(choice: () => number, chooses: (process: number) => number): Record<string, HostFunction> {
    const { races } = this;
    if (races === undefined) return {};
    const calls: Record<string, HostFunction> = {
      touchRace: (race: number) => races.touch(race),
      settleRaces: (now: number, latest: number) => races.settle(now, latest),
      fireRace: () => {
        // A race that fires is always re-examined, whatever tokens it moves.
        this.kernel.set('racesTouched', 1);
        return races.fire(choice, chooses);
      },
      ranOut: (clock: number) => races.ranOut(clock),
    };
    this.#e.races.forEach((p, x) => {
      const shape = seenShape(this.#e, p);
      calls[`seen${x}`] = (degree: number, ...fields: number[]) => {
        let at = 0;
        const next = (count: number): number[] => {
          at += count;
          return fields.slice(at - count, at);
        };
        const speed = shape.speed ? next(1)[0]! : 1;
        const key = next(shape.colours).join();
        races.seen(x, key, degree, speed, next(shape.ages), next(shape.binding), next(shape.slots), next(shape.free));
      };
    });
    return calls;
  }

  /** Stamps of inhibitors that have too many keys for an array. */
  #stampCalls(): Record<string, HostFunction> {
    const calls: Record<string, HostFunction> = {};
    for (const p of this.#e.prompt)
      for (const h of p.inhibitors.keys()) {
        const id = `${p.number}_${h}`;
        const stamps = new Map<string, number>();
        this.#stamps.set(id, stamps);
        calls[`stampOf${id}`] = (step: number, ...key: number[]) => {
          if (stamps.size >= MAX_KEYS)
            tooMany(`transition ${p.transition.name}`, `${MAX_KEYS} different keys of inhibiting tokens`);
          stamps.set(key.join(), step);
        };
        calls[`left${id}`] = (...key: number[]) => stamps.get(key.join()) ?? -1;
      }
    return calls;
  }

  #pages(): Record<string, HostFunction> {
    const calls: Record<string, HostFunction> = {};
    this.#e.net.tables.forEach((t, k) => {
      if ((t.kind !== 'int' && t.kind !== 'real') || !('pages' in t.values)) return;
      let pager: Pager | undefined;
      calls[`K${k}_load`] = (page: number) => {
        pager ??= new Pager(this.kernel, `K${k}`, t);
        return pager.load(page);
      };
    });
    return calls;
  }
}

/** The tables in the memory of the generated code. */
function tablesOf(e: Emission): Record<string, KernelArray | Contents> {
  const tables: Record<string, KernelArray | Contents> = {};
  for (const rows of e.tableRows) {
    tables[`T${rows.number}`] = {
      length: rows.length * rows.words,
      write: (to) => fillRows(rows, to as Int32Array<ArrayBuffer>),
    };
    for (const [name, values] of valuesOf(rows)) tables[name] = values;
  }
  e.net.tables.forEach((t, k) => {
    if (t.kind === 'routes') {
      tables[`K${k}_start`] = t.start as KernelArray;
      tables[`K${k}_link`] = t.link as KernelArray;
      tables[`K${k}_coefficient`] = t.coefficient as KernelArray;
    } else if (t.kind === 'step') {
      tables[`K${k}_from`] = t.from as KernelArray;
      tables[`K${k}_values`] = plainZeros(t.values) as KernelArray;
    } else if (!('pages' in t.values) && e.context.columnOf(t.name) === undefined)
      tables[`K${k}`] = wordsOf(t.values) as KernelArray;
  });
  for (const [k, l] of e.services.entries()) {
    const service = l.place.service!;
    if (isShared(service)) Object.assign(tables, sharedOf(service, k));
  }
  return tables;
}

/** A table as generated code reads it: integers of 32 bits, or doubles without −0. */
const wordsOf = (values: Int32Array | Uint8Array | Float64Array): Int32Array | Float64Array =>
  values instanceof Uint8Array ? Int32Array.from(values) : plainZeros(values);

/** The link arrays of service number k; the servers of processor sharing are one link, which all tokens cross. */
function sharedOf(service: SharedService, k: number): Record<string, KernelArray> {
  if (service.kind === 'max-min') return linkArrays(k, service);
  return {
    ...linkArrays(k, { links: [{ name: 'servers', capacity: service.servers, fatpipe: false }] }),
    [`S${k}_link`]: Int32Array.of(0),
    [`S${k}_coefficient`]: Float64Array.of(1),
  };
}

/** The station of a service; `undefined` if the generated code implements the service. */
function stationOf(e: Emission, number: number, queue: Events): Station | undefined {
  const layout = e.services[number]!;
  const s = layout.place.service!;
  if (isShared(s) || s.kind === 'is') return undefined;
  const refuse: Refuse = (seconds) =>
    seconds === undefined
      ? tooMany(`place ${layout.place.name}`, `${MAX_WAITING} tokens waiting for a server`)
      : runError(e, 'RUN004', [-1, seconds, layout.number]);
  return new Station(queue, e.plans.length + number, s.servers, disciplineOf(s), refuse);
}

function disciplineOf(s: Exclude<StationService, { kind: 'ps' | 'is' }>): Discipline {
  if (s.kind === 'priority') return s.preemptive ? 'priority-pr' : 'priority';
  return s.kind === 'lcfs-pr' ? 'lcfs-pr' : 'fcfs';
}
