import { fail, nearest, quote, shown } from '../base/problem.ts';
import type { Net } from '../net/net.ts';
import { isNet } from '../net/validation/validate-shape.ts';

/** A net exported by a module; every thread imports the module itself. */
export interface NetModule {
  /** A file URL: `new URL('./model.ts', import.meta.url)`. The module runs with the rights of the caller. */
  readonly module: URL;
  /** Name of the export; default `default`. */
  readonly export?: string;
}

/** File names of modules that can be imported; TypeScript requires that the current process runs it. */
const SUFFIX = /\.[mc]?[jt]s$/;

/**
 * Imports a net.
 *
 * @param href URL of the module file
 * @throws InputError SIM007 if the module is not an importable file, throws, or does not export a net under this name
 */
export async function importNet(href: string, name: string): Promise<Net> {
  const refuse = (message: string): never => fail('SIM007', message, { part: `module ${href}` });
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url?.protocol !== 'file:' || !SUFFIX.test(url.pathname))
    return refuse('expected the URL of a file ending in .ts, .mts, .cts, .js, .mjs or .cjs');
  let exports: Record<string, unknown>;
  try {
    exports = (await import(url.href)) as Record<string, unknown>;
  } catch (error) {
    return refuse(`cannot be imported: ${error instanceof Error ? error.message : String(error)}`);
  }
  const net = exports[name];
  if (isNet(net)) return net;
  const guess = Object.hasOwn(exports, name) ? '' : nearest(name, Object.keys(exports));
  return refuse(`${quote(name)} is ${instead(net)}.${guess} It exports ${listed(exports)}`);
}

/** Describes an exported value that is not a net. */
function instead(value: unknown): string {
  if (value === undefined) return 'not exported';
  if (typeof value === 'function') return 'a function: expected a net, as returned by build()';
  return `${shown(value)}: expected a net, as returned by build()`;
}

const listed = (exports: Readonly<Record<string, unknown>>): string => Object.keys(exports).join(', ') || 'nothing';
