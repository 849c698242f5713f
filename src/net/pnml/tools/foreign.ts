/** Layout elements of editors, ignored with a warning. */
export const DRAWN: ReadonlySet<string> = new Set(['arcpath', 'labels', 'orientation', 'tagged']);

/** Non-standard elements of other tools, by parent element. They are ignored with this warning. */
export const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pnml: {
    query: 'queries (TAPAAL) are ignored',
    'k-bound': 'the bound on tokens (TAPAAL) is ignored',
    feature: 'the features of the net (TAPAAL) are ignored',
  },
  net: {
    token: 'token classes (PIPE) are read as colours if more than one is used',
    variables: 'the variables of a data Petri net are ignored',
    stategroup: 'state groups (PIPE) are ignored',
  },
  transition: {
    readVariable: 'variables read by transitions (data Petri net) are ignored, so transitions may fire more often',
    writeVariable: 'variables written by transitions (data Petri net) are ignored',
  },
};

/** `toolspecific` parts of tools that hold more than graphics. */
export const FOREIGN_TOOLS: Readonly<Record<string, string>> = {
  StochasticPetriNet: 'distributions and weights of a stochastic net are ignored: the net is untimed',
};
