import seedrandom from 'seedrandom';
import { fail, quote } from '../problem.ts';
import { keyText, type Occurrences, ProcessStream, type Purpose, type StreamKey } from './process-stream.ts';

export type { Purpose } from './process-stream.ts';

/** The state of an Alea generator: four numbers. */
export type StreamState = seedrandom.State.Alea;

/** State of all streams of a run: plain data that JSON represents exactly. */
export interface StreamsState {
  readonly seed: string;
  readonly replication: number;
  readonly streams: readonly { readonly purpose: Purpose; readonly owner: string; readonly state: StreamState }[];
  readonly ofProcesses: readonly {
    readonly purpose: Purpose;
    readonly owner: string;
    readonly occurrences: Occurrences;
  }[];
}

type Generator = seedrandom.StatefulPRNG<StreamState>;

/** A stream of random numbers: multiples of 2⁻⁵³, uniform in [0, 1). */
export class Stream {
  readonly purpose: Purpose;
  readonly owner: string;
  #generator: Generator;
  #double: () => number;

  constructor(purpose: Purpose, owner: string, generator: Generator) {
    this.purpose = purpose;
    this.owner = owner;
    this.#generator = generator;
    this.#double = generator.double;
  }

  /** Draws the next number. O(1). */
  next(): number {
    return this.#double();
  }

  /** The function that draws the next number; valid until the stream is restored. Saves a call in hot loops. */
  get draw(): () => number {
    return this.#double;
  }

  state(): StreamState {
    return this.#generator.state();
  }

  /** Continues with the numbers of another generator. */
  continueWith(generator: Generator): void {
    this.#generator = generator;
    this.#double = generator.double;
  }
}

/**
 * The random numbers of a run (rule S15). Each purpose and owner has a separate stream: an Alea generator (J. Baagøe 2010,
 * from `seedrandom`) seeded by the key (seed, replication, purpose, owner). A stream's numbers depend only on its key, not
 * on draws from other streams. Draws that belong to processes come from a {@link ProcessStream}.
 */
export class Streams {
  #seed: string;
  #replication: number;
  readonly #streams = new Map<string, Stream>();
  readonly #ofProcesses = new Map<string, ProcessStream>();

  /** @param replication distinguishes runs with the same seed: an integer from 0 */
  constructor(seed: string, replication = 0) {
    this.#seed = seed;
    this.#replication = replication;
  }

  /** The stream of a key; every call returns the same object. O(length of the owner's name). */
  stream(purpose: Purpose, owner: string): Stream {
    const name = nameOf(purpose, owner);
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      stream = new Stream(purpose, owner, this.#fresh(purpose, owner));
      this.#streams.set(name, stream);
    }
    return stream;
  }

  /** The stream of an owner whose draws belong to processes; every call returns the same object. O(length of the owner's name). */
  ofProcesses(purpose: Purpose, owner: string): ProcessStream {
    const name = nameOf(purpose, owner);
    let stream = this.#ofProcesses.get(name);
    if (stream === undefined) {
      stream = new ProcessStream(this.#key(purpose, owner));
      this.#ofProcesses.set(name, stream);
    }
    return stream;
  }

  state(): StreamsState {
    const streams = [...this.#streams.values()].map((s) => ({ purpose: s.purpose, owner: s.owner, state: s.state() }));
    const ofProcesses = [...this.#ofProcesses.values()].map((s) => ({
      purpose: s.purpose,
      owner: s.owner,
      occurrences: s.state(),
    }));
    return { seed: this.#seed, replication: this.#replication, streams, ofProcesses };
  }

  /**
   * Restores a saved state, including its seed and replication. Streams handed out before remain valid; those missing from
   * `saved` restart.
   *
   * @throws InputError RUN010 if a stream's state is not a valid state of its generator
   */
  restore(saved: StreamsState): void {
    for (const { owner, state } of saved.streams)
      if (!isState(state))
        fail('RUN010', `${quote(JSON.stringify(state))} is not a state of the stream of ${quote(owner)}`);
    this.#seed = saved.seed;
    this.#replication = saved.replication;
    for (const s of this.#streams.values()) s.continueWith(this.#fresh(s.purpose, s.owner));
    for (const { purpose, owner, state } of saved.streams)
      this.stream(purpose, owner).continueWith(seedrandom.alea('', { state }));
    for (const s of this.#ofProcesses.values()) s.restore(this.#key(s.purpose, s.owner), []);
    for (const { purpose, owner, occurrences } of saved.ofProcesses)
      this.ofProcesses(purpose, owner).restore(this.#key(purpose, owner), occurrences);
  }

  #key(purpose: Purpose, owner: string): StreamKey {
    return { seed: this.#seed, replication: this.#replication, purpose, owner };
  }

  #fresh(purpose: Purpose, owner: string): Generator {
    return seedrandom.alea(keyText(this.#key(purpose, owner)), { state: true });
  }
}

const nameOf = (purpose: Purpose, owner: string): string => `${purpose} ${owner}`;

/** Checks for three multiples of 2⁻³² in [0, 1) and an integer carry below Alea's multiplier. */
function isState({ c, s0, s1, s2 }: StreamState): boolean {
  const isFraction = (x: number): boolean => x >= 0 && x < 1 && Number.isInteger(x * 2 ** 32);
  return isFraction(s0) && isFraction(s1) && isFraction(s2) && Number.isInteger(c) && c >= 0 && c <= 2091639;
}
