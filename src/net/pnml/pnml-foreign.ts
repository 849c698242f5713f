/** Non-standard elements of other tools, by parent element. They are ignored with this warning. */
export const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  net: {
    token: 'token classes (PIPE) are read as plain tokens if only one class is used',
    variables: 'the variables of a data Petri net are ignored',
    definition: 'a rate parameter (PIPE) is ignored',
    stategroup: 'state groups (PIPE) are ignored',
  },
  transition: {
    readVariable: 'variables read by transitions (data Petri net) are ignored, so transitions may fire more often',
    writeVariable: 'variables written by transitions (data Petri net) are ignored',
    rate: 'rates and weights of transitions (PIPE) are ignored: the net is untimed',
    timed: 'timed and immediate transitions (PIPE) are not distinguished: none has precedence',
    infiniteServer: 'the number of servers of transitions (PIPE) is ignored',
    priority: 'priorities of transitions (PIPE) are ignored: none has precedence',
  },
};

/** Non-standard attributes that affect the behaviour of a transition. */
export const FOREIGN_ATTRIBUTES: Readonly<Record<string, string>> = {
  guard: 'guards over variables (data Petri net) are ignored, so transitions may fire more often',
};

/** `toolspecific` parts of tools that hold more than graphics. */
export const FOREIGN_TOOLS: Readonly<Record<string, string>> = {
  StochasticPetriNet: 'distributions and weights of a stochastic net are ignored: the net is untimed',
};

/**
 * The count in a list of token classes (PIPE), e.g. `Default,2,red,0`; other text is returned unchanged.
 *
 * @returns the classes with tokens, if there are several: their counts cannot be added to a plain count
 */
export function plainTokens(text: string): string | { readonly classes: string[] } {
  if (!/^\s*[^,]+,\s*\d+\s*(,[^,]+,\s*\d+\s*)*$/.test(text)) return text;
  const parts = text.split(',').map((part) => part.trim());
  const classes = parts.flatMap((name, k) => (k % 2 === 0 ? [[name, parts[k + 1]!] as const] : []));
  const used = classes.filter(([, count]) => Number(count) > 0);
  if (used.length > 1) return { classes: used.map(([name]) => name) };
  return used[0]?.[1] ?? '0';
}

/** The single class with tokens in such a list; undefined if the text is not a list. */
export function classIn(text: string): string | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length < 2) return undefined;
  for (let k = 0; k + 1 < parts.length; k += 2) if (Number(parts[k + 1]) > 0) return parts[k];
  return undefined;
}
