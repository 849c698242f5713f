import { extname } from 'node:path';
import { assertIs } from '../../base/options.ts';
import { fail, InputError, type Problem, quote, shown } from '../../base/problem.ts';
import type { SpaceDocument } from '../explore/space.ts';
import { readText } from '../inputs/inputs.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import type { SteadyDocument } from '../steady/steady-result.ts';
import type { StructureDocument } from '../structure/structure-result.ts';
import type { AnyVerification } from '../verify/net/verify-rerun.ts';

/** Maximum size of a result document, in bytes. */
const MAX_BYTES = 256 * 2 ** 20;
/** Maximum number of problems reported per file. */
const MAX_PROBLEMS = 20;

/**
 * Reads the result document of a prediction; undefined if the file is something else: a net, a trace, a machine. The file is
 * untrusted, so its structure is checked before it is used.
 *
 * @throws InputError APP001, APP003 (cannot be read), APP010 (a result of another kind or version, or an invalid one)
 */
export function resultOf(file: string): PredictionDocument | undefined {
  if (extname(file) !== '.json') return undefined;
  const value = parsed(readText(file, MAX_BYTES), file);
  return isObject(value) && value['format'] === 'foretoken' ? checked(value, file) : undefined;
}

/**
 * As {@link resultOf}, for a file that must hold a result.
 *
 * @throws InputError also APP010 if it is something else
 */
export function readResult(file: string): PredictionDocument {
  assertIs('readResult', 'file', file, 'a string', 'APP061');
  const value = parsed(readText(file, MAX_BYTES), file);
  if (!isObject(value) || value['format'] !== 'foretoken')
    return fail('APP010', 'is not a foretoken result document: expected the output of predict --json', { file });
  return checked(value, file);
}

/**
 * Reads a result that can be repeated, of any kind.
 *
 * @throws InputError APP001, APP003 (cannot be read), APP010 (a result of another kind or version, or an invalid one)
 */
export function anyResult(
  file: string,
): PredictionDocument | SpaceDocument | StructureDocument | SteadyDocument | AnyVerification {
  const value = parsed(readText(file, MAX_BYTES), file);
  const kind = isObject(value) && value['format'] === 'foretoken' ? value['kind'] : undefined;
  const check = typeof kind === 'string' && Object.hasOwn(CHECKS, kind) ? CHECKS[kind] : undefined;
  if (check === undefined) return readResult(file);
  const { version } = value as { readonly version?: unknown };
  if (version !== 1) fail('APP010', `version: expected 1, got ${shown(version)}`, { file });
  const problems = check(new Checker(file), value);
  if (problems.length > 0) throw new InputError(problems.slice(0, MAX_PROBLEMS));
  return value as SpaceDocument | StructureDocument | SteadyDocument | AnyVerification;
}

/** How kinds other than predictions are checked. */
const CHECKS: Readonly<Record<string, (checker: Checker, value: unknown) => readonly Problem[]>> = {
  space: (checker, value) => checker.space(value),
  structure: (checker, value) => checker.structure(value),
  steady: (checker, value) => checker.steady(value),
  verification: (checker, value) => checker.verification(value),
  'program-verification': (checker, value) => checker.programVerification(value),
  'thread-verification': (checker, value) => checker.threadVerification(value),
};

/**
 * Checks the document of a prediction that a program passes on.
 *
 * @param name its name, for messages
 * @throws InputError APP010
 */
export function assertPrediction(value: unknown, name: string): asserts value is PredictionDocument {
  if (!isObject(value)) fail('APP010', `expected a result of kind "prediction", got ${shown(value)}`, { file: name });
  checked(value, name);
}

function checked(value: Record<string, unknown>, file: string): PredictionDocument {
  if (value['kind'] !== 'prediction' || value['version'] !== 1) {
    const missing = ['kind', 'version'].filter((member) => value[member] === undefined);
    fail(
      'APP010',
      `expected a result of kind "prediction", version 1, ${missing.length > 0 ? `but ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing` : `got kind ${shown(value['kind'])}, version ${shown(value['version'])}`}${commandOf(value['kind'])}`,
      { file },
    );
  }
  const problems = new Checker(file).prediction(value);
  if (problems.length > 0) throw new InputError(problems.slice(0, MAX_PROBLEMS));
  return value as unknown as PredictionDocument;
}

/** Document kinds other than predictions, with the command that writes them. */
const WRITTEN_BY: Readonly<Record<string, string>> = {
  'what-if': 'whatif',
  comparison: 'compare',
  space: 'explore',
  structure: 'structure',
  steady: 'steady',
  verification: 'verify',
  'program-verification': 'verify',
  'thread-verification': 'verify',
  profile: 'profile',
  diagnosis: 'diagnose',
};

/** The end of a message: which command writes this kind, and which kinds `compare` and `rerun` take. */
function commandOf(kind: unknown): string {
  const command = typeof kind === 'string' && Object.hasOwn(WRITTEN_BY, kind) ? WRITTEN_BY[kind] : undefined;
  if (command === undefined) return '';
  return `; ${command} writes it. compare reads results of predict; rerun those of predict, explore, steady, structure and verify`;
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const at = jsonFault(text) ?? text.length;
    const found = at < text.length ? `unexpected ${quote(text.slice(at, at + 20))}` : 'it ends too early';
    const before = text.slice(0, at);
    const place = { file, line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
    return fail('APP010', `is not JSON: ${found}; expected a result document as printed by --json`, place);
  }
}

type Check = (value: unknown, part: string) => void;

/** Collects type errors in a document; checks only the members that other code relies on. */
class Checker {
  readonly #problems: Problem[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  space(value: unknown): readonly Problem[] {
    this.#object({
      ...this.#head,
      options: this.#object({}),
      figures: this.#object({ states: this.#object({ unit: this.#text }) }),
      verdicts: this.#object({}),
    })(value, '');
    return this.#problems;
  }

  verification(value: unknown): readonly Problem[] {
    this.#object({
      ...this.#head,
      options: this.#object({}),
      properties: this.#list(this.#object({ id: this.#text, property: this.#text })),
      space: this.#object({}),
    })(value, '');
    return this.#problems;
  }

  steady(value: unknown): readonly Problem[] {
    const methods = this.#list(this.#object({ method: this.#text }));
    this.#object({
      ...this.#head,
      options: this.#object({}),
      method: this.#text,
      methods: (v, part) => v === undefined || methods(v, part),
    })(value, '');
    return this.#problems;
  }

  structure(value: unknown): readonly Problem[] {
    const { complete: _, ...head } = this.#head;
    this.#object({
      ...head,
      options: this.#object({}),
      figures: this.#object({ places: this.#object({ unit: this.#text }) }),
      verdicts: this.#object({}),
      solver: this.#text,
      unreachable: (v, part) => v === undefined || this.#list(this.#object({ target: this.#text }))(v, part),
    })(value, '');
    return this.#problems;
  }

  programVerification(value: unknown): readonly Problem[] {
    this.#object({
      ...this.#head,
      options: this.#object({ sends: this.#text }),
      instances: this.#list(
        this.#object({
          parameters: this.#object({}),
          sends: this.#text,
          properties: this.#list(this.#object({ id: this.#text })),
        }),
      ),
    })(value, '');
    return this.#problems;
  }

  threadVerification(value: unknown): readonly Problem[] {
    this.#object({
      ...this.#head,
      options: this.#object({}),
      instances: this.#list(
        this.#object({
          parameters: this.#object({}),
          scheduler: this.#text,
          properties: this.#list(this.#object({ id: this.#text })),
        }),
      ),
    })(value, '');
    return this.#problems;
  }

  /** Members common to all results. */
  get #head(): Readonly<Record<string, Check>> {
    const input = this.#object({ path: this.#text, sha256: this.#text });
    return {
      product: this.#text,
      complete: (v, part) => this.#is(typeof v === 'boolean', v, part, 'a boolean'),
      inputs: (v, part) => {
        this.#object({})(v, part);
        for (const [key, one] of Object.entries(isObject(v) ? v : {}))
          (key === 'members' ? this.#list(input) : input)(one, `${part}.${key}`);
      },
    };
  }

  readonly #text: Check = (v, part) => this.#is(typeof v === 'string', v, part, 'a string');

  prediction(value: unknown): readonly Problem[] {
    // JSON.parse reads 1e999 as Infinity.
    const number: Check = (v, part) => this.#is(Number.isFinite(v), v, part, 'a finite number');
    const text = this.#text;
    const orNull =
      (check: Check): Check =>
      (v, part) =>
        v === null || check(v, part);
    const optional =
      (check: Check): Check =>
      (v, part) =>
        v === undefined || check(v, part);
    const figure = this.#object({ value: number, unit: text });
    this.#object({
      ...this.#head,
      seed: text,
      options: (v, part) => {
        this.#object({})(v, part);
        // JSON cannot represent infinity; documents have null instead.
        for (const [key, one] of Object.entries(isObject(v) ? v : {}))
          this.#is(
            ['string', 'number'].includes(typeof one) || one === null,
            one,
            `${part}.${key}`,
            'a string or a number',
          );
      },
      machine: optional(this.#object({})),
      figures: this.#object({
        runTime: figure,
        parallelism: optional(this.#object({ max: figure, mean: figure })),
        loadBalance: optional(figure),
        actions: optional(figure),
      }),
      ranks: this.#list(
        this.#object({
          rank: number,
          host: text,
          endTime: orNull(number),
          computing: number,
          communicating: orNull(number),
          waiting: orNull(number),
          idle: number,
        }),
      ),
      resources: this.#list(
        this.#object({ name: text, kind: text, utilisation: number, amount: figure, capacity: figure }),
      ),
      firings: this.#object({}),
      deadlock: this.#list(this.#object({ rank: number })),
      notes: optional(this.#list(this.#object({ code: text, message: text }))),
    })(value, '');
    return this.#problems;
  }

  #is(holds: boolean, value: unknown, part: string, wanted: string): void {
    if (holds || this.#problems.length >= MAX_PROBLEMS) return;
    const message = value === undefined ? `is missing: expected ${wanted}` : `expected ${wanted}, got ${shown(value)}`;
    this.#problems.push({ code: 'APP010', message, place: { file: this.#file, part: part.slice(1) } });
  }

  #object(members: Readonly<Record<string, Check>>): Check {
    return (value, part) => {
      this.#is(isObject(value), value, part, 'an object');
      if (isObject(value)) for (const [key, check] of Object.entries(members)) check(value[key], `${part}.${key}`);
    };
  }

  #list(check: Check): Check {
    return (value, part) => {
      this.#is(Array.isArray(value), value, part, 'a list');
      if (Array.isArray(value)) for (const [k, one] of value.entries()) check(one, `${part}[${k}]`);
    };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON token (RFC 8259), preceded by blanks. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/**
 * The offset at which a text stops being valid JSON: its length if it is truncated, undefined if it is valid. Replaces the
 * messages of `JSON.parse`, which differ between versions of Node and mostly give no position. O(length).
 */
export function jsonFault(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  /** The kind of token that may come next. */
  let next: 'value' | 'first' | 'key' | 'first key' | 'colon' | 'more' = 'value';
  let at = 0;
  const faultAt = (): number => at + /^[ \t\n\r]*/.exec(text.slice(at, at + 4096))![0].length;
  for (;;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) {
      const fault = faultAt();
      return fault >= text.length && open.length === 0 && next === 'more' ? undefined : fault;
    }
    const [whole, mark, string] = found;
    const isValue = mark === undefined;
    if (next === 'more') {
      const within = open.at(-1);
      if (within !== undefined && mark === ',') next = within === '{' ? 'key' : 'value';
      else if (within !== undefined && mark === (within === '{' ? '}' : ']')) open.pop();
      else return faultAt();
    } else if (next === 'colon') {
      if (mark !== ':') return faultAt();
      next = 'value';
    } else if (next === 'key' || next === 'first key') {
      if (string !== undefined) next = 'colon';
      else if (next === 'first key' && mark === '}') {
        open.pop();
        next = 'more';
      } else return faultAt();
    } else if (isValue) next = 'more';
    else if (mark === '{' || mark === '[') {
      open.push(mark);
      next = mark === '{' ? 'first key' : 'first';
    } else if (next === 'first' && mark === ']') {
      open.pop();
      next = 'more';
    } else return faultAt();
    at += whole.length;
  }
}
