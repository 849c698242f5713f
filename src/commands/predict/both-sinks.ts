type Methods<S> = {
  readonly [K in keyof S]-?: NonNullable<S[K]> extends (...args: never[]) => void ? K : never;
}[keyof S];

/**
 * One sink for a Chrome trace and a run record; the one that exists, if only one does. The record then passes its calls on.
 *
 * @param names the calls that both take; the record gets all others
 */
export function bothSinks<S extends object>(
  names: readonly Methods<S>[],
  chrome: S | undefined,
  record: S | undefined,
): S | undefined {
  if (chrome === undefined || record === undefined) return record ?? chrome;
  type Calls = Record<Methods<S>, (...args: unknown[]) => void>;
  const [first, second] = [chrome as unknown as Calls, record as unknown as Calls];
  for (const name of names) {
    const own = second[name].bind(second);
    second[name] = (...args) => {
      first[name](...args);
      own(...args);
    };
  }
  return record;
}
