/**
 * The own member of a table under a name from outside: an input, an option, a column. Inherited members, such as
 * `constructor` and `__proto__`, are not found.
 */
export function ownOf<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}
