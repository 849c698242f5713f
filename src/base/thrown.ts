import type { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Code } from './codes.ts';
import { nearest, type Place, type Problem, shown } from './problem.ts';

/** A thrown value as plain strings. */
export interface Thrown {
  /** One line: `TypeError: x is not a function`, `null`, `"a string"`. */
  readonly text: string;
  /** The message alone: `x is not a function`. */
  readonly message: string;
  /** Empty if the value has no stack. */
  readonly stack: string;
  /** True for objects with a stack; the source position is known only for these. */
  readonly isError: boolean;
}

/** Maximum length of a quoted exception message, in characters. */
const MAX_TEXT = 200;

/** Describes any thrown value. Never throws, even if user code throws objects with failing getters. */
export function thrown(value: unknown): Thrown {
  const stack = member(value, 'stack');
  if (stack === undefined && member(value, 'message') === undefined)
    return plain(attempt(() => shown(value)) ?? 'an object');
  const name = member(value, 'name') ?? 'Error';
  const message = member(value, 'message') ?? '';
  return {
    text: line(`${name}: ${message}`),
    message: line(message),
    stack: stack ?? '',
    isError: stack !== undefined,
  };
}

/** The first parameter of the source of a function: `build(m) {`, `function (m) {`, `(m) =>`, `m =>`. */
const FIRST_PARAMETER = /^(?:async\s+)?(?:(?:function\b\s*)?[\w$]*\s*\(\s*([\w$]+)|([\w$]+)\s*=>)/;

/**
 * The text of an error, with the method that was probably meant: `TypeError: m.brodcast is not a function. Did you mean "bcast"?` Only
 * for calls of the first parameter of a function, which has no such method.
 *
 * @param object the parameter's value
 * @param others methods under other names, in lower case
 */
export function withKnownMethod(
  text: string,
  of: (...args: never) => unknown,
  object: object,
  others: Readonly<Record<string, string>> = {},
): string {
  const [, receiver, name] = /([\w$]+)\.([\w$]+) is not a function$/.exec(text) ?? [];
  const source = attempt(() => Function.prototype.toString.call(of)) ?? '';
  const [, inBrackets, alone] = FIRST_PARAMETER.exec(source) ?? [];
  if (name === undefined || receiver !== (inBrackets ?? alone) || name in object) return text;
  const key = name.toLowerCase();
  if (Object.hasOwn(others, key)) return `${text}. Did you mean ${receiver}.${others[key]}?`;
  const known = [object, Object.getPrototypeOf(object)].flatMap((o) => Object.getOwnPropertyNames(o));
  return `${text}.${nearest(name, known)}`.replace(/\.$/, '');
}

function plain(text: string): Thrown {
  return { text, message: text, stack: '', isError: false };
}

/** The first line of a message, plus the second if the first is a heading, as in messages of esbuild. */
function line(text: string): string {
  const [first = '', second] = text.split('\n');
  const whole = first.endsWith(':') && second !== undefined ? `${first} ${second}` : first;
  return whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)}…` : whole;
}

/**
 * The problems of an InputError, also of another copy of the package; undefined for every other value. The result is plain
 * data that can be posted to another thread.
 */
export function problemsOf(value: unknown): readonly Problem[] | undefined {
  if (member(value, 'name') !== 'InputError') return undefined;
  return attempt(() => {
    const { problems } = value as { readonly problems: readonly Problem[] };
    if (!Array.isArray(problems) || problems.length === 0) return undefined;
    return problems.map(({ code, message, place }): Problem => {
      const problem = { code: String(code) as Code, message: String(message) };
      return place === undefined ? problem : { ...problem, place: placeIn(place) };
    });
  });
}

function placeIn({ file, line, column, part }: Place): Place {
  return {
    ...(file === undefined ? {} : { file: String(file) }),
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(column === undefined ? {} : { column: Number(column) }),
    ...(part === undefined ? {} : { part: String(part) }),
  };
}

/** Message and stack for a crash report. */
export function crashOf(value: unknown): { readonly message: string; readonly stack: string } {
  const { text, stack } = thrown(value);
  const message = member(value, 'message') ?? text;
  return { message, stack: stack === '' ? message : stack };
}

/** All source positions in a stack that are in files, innermost first. */
export function placesOf(stack: string): Place[] {
  return stack
    .split('\n')
    .slice(1)
    .flatMap((frame) => {
      const found = /\(?((?:file:\/\/)?[^\s()]+):(\d+):(\d+)\)?$/.exec(frame.trim());
      if (found === null || found[1]!.startsWith('node:')) return [];
      const file = found[1]!.startsWith('file://') ? pathOf(found[1]!) : found[1]!;
      return [{ file, line: Number(found[2]), column: Number(found[3]) }];
    });
}

/** Root folder of this copy of the package. */
const ROOT = pathOf(new URL('../..', import.meta.url).href);

/** True if a source position is in user code: neither in an installed package nor in this one. */
export function isUserPlace({ file }: Place): boolean {
  if (file === undefined || !isAbsolute(file) || /[\\/]node_modules[\\/]/.test(file)) return false;
  return !isOwnPlace({ file });
}

/** True if a source position is in the code of this package. */
export const isOwnPlace = ({ file }: Place): boolean =>
  file?.startsWith(ROOT) === true && /^(?:dist|src)[\\/]/.test(file.slice(ROOT.length));

/** The innermost source position in user code; otherwise the innermost in any file. */
export function userPlaceOf(stack: string): Place | undefined {
  const places = placesOf(stack);
  return places.find(isUserPlace) ?? places[0];
}

function pathOf(url: string): string {
  return attempt(() => fileURLToPath(url.replace(/\?.*$/, ''))) ?? url;
}

/** A string member of a value; undefined if it is missing, has another type, or its getter throws. */
function member(value: unknown, key: 'name' | 'message' | 'stack'): string | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  const found = attempt(() => (value as Record<string, unknown>)[key]);
  return typeof found === 'string' ? found : undefined;
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Stops watching; returns the source position of the last exception that was not an Error. */
type ThrowWatch = () => Place | undefined;

/**
 * Watches where values without a stack are thrown (`throw null`, `throw 'text'`), using the debugger of this thread. Slow:
 * use it only to repeat code that has failed. Returns undefined if the debugger is unavailable or already in use.
 */
export function watchThrows(): ThrowWatch | undefined {
  try {
    const inspector = createRequire(import.meta.url)('node:inspector') as typeof import('node:inspector');
    if (inspector.url() !== undefined) return undefined;
    const session = new inspector.Session();
    session.connect();
    return watch(session);
  } catch {
    return undefined;
  }
}

function watch(session: Session): ThrowWatch {
  let place: Place | undefined;
  session.on('Debugger.paused', ({ params }) => {
    const { reason, data, callFrames } = params;
    const [frame] = callFrames;
    if (frame === undefined || !/exception|promiseRejection/.test(reason)) return;
    if ((data as { readonly subtype?: string } | undefined)?.subtype === 'error') return;
    // A stack created in the throwing frame has source maps applied.
    const { callFrameId } = frame;
    session.post(
      'Debugger.evaluateOnCallFrame',
      { callFrameId, expression: 'new Error().stack', silent: true },
      (error, answer) => {
        const stack: unknown = error === null ? answer.result.value : undefined;
        if (typeof stack === 'string') place = placesOf(stack).find(isUserPlace) ?? place;
      },
    );
  });
  session.post('Debugger.enable');
  session.post('Debugger.setPauseOnExceptions', { state: 'all' });
  return () => {
    session.disconnect();
    return place;
  };
}
