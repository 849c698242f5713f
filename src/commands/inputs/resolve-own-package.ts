import type { MessagePort } from 'node:worker_threads';

/**
 * Module loader hooks for models. `foretoken` and its entry points resolve to this package if the importing file does not
 * find them. TypeScript files except `.cts` are loaded as ECMAScript modules, independent of any `package.json`.
 */
interface Resolved {
  readonly url: string;
  readonly format?: string | null;
}
interface Loaded {
  readonly format: string;
  readonly source?: string | Uint8Array | null;
}
type LoadNext = (url: string, context: unknown) => Promise<Loaded>;
type Next = (specifier: string, context: unknown) => Promise<Resolved>;

let reporter: MessagePort | undefined;

/** Receives the port to which the URL of every resolved module is reported. */
export function initialize(data: { readonly reporter: MessagePort } | undefined): void {
  reporter = data?.reporter;
  reporter?.unref();
}

export async function resolve(specifier: string, context: unknown, next: Next): Promise<Resolved> {
  const found = await resolved(specifier, context, next);
  if (found.url.startsWith('file:')) reporter?.postMessage(found.url);
  if (found.format !== 'commonjs') return found;
  const url = fileOf(found.url);
  const [, kind] = /\.([mc]?)tsx?$/.exec(new URL(url).pathname) ?? [];
  if (kind === undefined) return found;
  return { ...found, url, format: kind === 'c' ? 'commonjs' : 'module' };
}

/**
 * CommonJS files with a translated source, such as `.cts`: Node would run them with a `require` that cannot load ECMAScript
 * modules. Instead the loader of `require` runs the file; the rest of the source only declares its exports.
 */
export async function load(url: string, context: unknown, next: LoadNext): Promise<Loaded> {
  const loaded = await next(url, context);
  if (loaded.format !== 'commonjs' || loaded.source == null || !url.startsWith('file:')) return loaded;
  return { ...loaded, source: `${RUN_BY_REQUIRE}${textOf(loaded.source)}` };
}

const RUN_BY_REQUIRE = 'module.exports = module.constructor.createRequire(__filename)(__filename); return;';

const textOf = (source: string | Uint8Array): string =>
  typeof source === 'string' ? source : new TextDecoder().decode(source);

/**
 * The URL without the marks of tsx for imports from modules without `"type": "module"`, such as
 * `model.ts%3Ftsx-commonjs-export-preparse=1?tsx-commonjs-export-preparse=1&…`. With them, tsx would run the module as a data
 * URL, whose stack frames name neither the file nor its lines.
 */
function fileOf(url: string): string {
  return url.replace(/(?:%3F|\?)tsx-commonjs-export-preparse=1.*$/, '');
}

async function resolved(specifier: string, context: unknown, next: Next): Promise<Resolved> {
  try {
    return await next(specifier, context);
  } catch (e) {
    if (specifier !== 'foretoken' && !specifier.startsWith('foretoken/')) throw e;
    // A package can resolve itself by name.
    return next(specifier, { ...(context as object), parentURL: import.meta.url });
  }
}
