/** Copies the listed members, leaving out those that are undefined. */
export function given<T extends object, K extends keyof T>(
  members: T,
  keys: readonly K[],
): { readonly [P in K]?: Exclude<T[P], undefined> } {
  const found = keys.flatMap((key) => (members[key] === undefined ? [] : [[key, members[key]] as const]));
  return Object.fromEntries(found) as { [P in K]?: Exclude<T[P], undefined> };
}
