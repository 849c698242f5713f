/**
 * Hooks of the module loader for models. `foretoken` and its parts are this package where the importing file lies in no
 * package that has it; TypeScript is ECMAScript modules, whatever a `package.json` near it says or does not say.
 */
interface Resolved {
  readonly url: string;
  readonly format?: string | null;
}
type Next = (specifier: string, context: unknown) => Promise<Resolved>;

export async function resolve(specifier: string, context: unknown, next: Next): Promise<Resolved> {
  const found = await resolved(specifier, context, next);
  const { pathname } = new URL(found.url);
  return /\.m?ts$/.test(pathname) && found.format === 'commonjs' ? { ...found, format: 'module' } : found;
}

async function resolved(specifier: string, context: unknown, next: Next): Promise<Resolved> {
  try {
    return await next(specifier, context);
  } catch (e) {
    if (specifier !== 'foretoken' && !specifier.startsWith('foretoken/')) throw e;
    // A package finds itself by its name.
    return next(specifier, { ...(context as object), parentURL: import.meta.url });
  }
}
