/**
 * Hooks of the module loader: `foretoken` and its parts are this package where the importing file lies in no package
 * that has it.
 */
interface Resolved {
  readonly url: string;
}
type Next = (specifier: string, context: unknown) => Promise<Resolved>;

export async function resolve(specifier: string, context: unknown, next: Next): Promise<Resolved> {
  try {
    return await next(specifier, context);
  } catch (e) {
    if (specifier !== 'foretoken' && !specifier.startsWith('foretoken/')) throw e;
    // A package finds itself by its name.
    return next(specifier, { ...(context as object), parentURL: import.meta.url });
  }
}
