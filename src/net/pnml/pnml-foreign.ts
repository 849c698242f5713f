/** Non-standard elements of other tools, by parent element. They are ignored with this warning. */
export const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  net: {
    token: 'token classes (PIPE) are read as colours if more than one is used',
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
