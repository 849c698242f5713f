import { knownText, nearest, quote } from '../../../base/problem.ts';

/** Elements whose attributes are checked: nodes, and the elements that contain them. */
export type Attributed = 'place' | 'transition' | 'arc' | 'referencePlace' | 'referenceTransition';

/**
 * Treatment of a known attribute:
 *
 * - `read`: the reader uses it;
 * - `drawing`: it describes only the picture or the editor, and is ignored;
 * - `ignored`: it restricts behaviour, and is ignored with a warning;
 * - `refused`: any value that does not match `except` is an error, because the meaning cannot be represented.
 */
type Treatment =
  | 'read'
  | 'drawing'
  | { readonly ignored: string; readonly except?: RegExp }
  | { readonly refused: string; readonly except?: RegExp };

/** Positions of TAPAAL and PIPE. */
const LAYOUT = {
  positionX: 'drawing',
  positionY: 'drawing',
  nameOffsetX: 'drawing',
  nameOffsetY: 'drawing',
  displayName: 'drawing',
} as const satisfies Record<string, Treatment>;

const STOCHASTIC: Treatment = { refused: 'delays of stochastic nets (TAPAAL) are not supported' };

/** Attributes that TAPAAL, PIPE, ProM and pm4py write at nodes and arcs, and those of the standard. WoPeD writes no others. */
const ATTRIBUTES: Readonly<Record<Attributed, Readonly<Record<string, Treatment>>>> = {
  place: {
    id: 'read',
    name: 'read',
    initialMarking: 'read',
    capacity: 'read',
    ...LAYOUT,
    markingOffsetX: 'drawing',
    markingOffsetY: 'drawing',
    invariant: { refused: 'limits on the age of tokens (TAPAAL) are not supported', except: /^\s*(<\s*inf)?\s*$/ },
  },
  transition: {
    id: 'read',
    name: 'read',
    rate: 'read',
    weight: 'read',
    timed: 'read',
    infiniteServer: 'read',
    priority: 'read',
    ...LAYOUT,
    angle: 'drawing',
    // ProM marks silent transitions; they fire like all others.
    invisible: 'drawing',
    // Restricts only the passing of time, and tokens have no age limits here.
    urgent: 'drawing',
    player: { ignored: 'the players of a game (TAPAAL) are ignored: every transition can fire', except: /^0?$/ },
    guard: { ignored: 'guards over variables (data Petri net) are ignored, so transitions may fire more often' },
    distribution: STOCHASTIC,
    firingMode: STOCHASTIC,
  },
  arc: {
    id: 'read',
    source: 'read',
    target: 'read',
    type: 'read',
    weight: 'read',
    inscription: 'read',
    ...LAYOUT,
    inscriptionOffsetX: 'drawing',
    inscriptionOffsetY: 'drawing',
    tagged: 'drawing',
  },
  referencePlace: { id: 'read', ref: 'read', name: 'drawing', ...LAYOUT },
  referenceTransition: { id: 'read', ref: 'read', name: 'drawing', ...LAYOUT },
};

/** Attributes of the containers, which hold no meaning beyond these. */
const CONTAINERS: Readonly<Record<string, readonly string[]>> = {
  pnml: [],
  net: ['id', 'type', 'active', 'name'],
  page: ['id', 'name'],
};

/** Attributes of labels that hold a number or a word. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  initialMarking: [],
  inscription: [],
  capacity: [],
  type: ['value'],
  arctype: ['value'],
  rate: [],
  timed: [],
  infiniteServer: [],
  priority: [],
  weight: [],
};

/** A remark on an attribute: an error if the net would lose its meaning, otherwise a warning. */
export interface AttributeRemark {
  readonly error: boolean;
  readonly message: string;
}

/**
 * Remarks on the attributes of a node, container or label. Attributes with a prefix belong to another name space and are
 * not examined. O(attributes).
 */
export function attributeRemarks(
  element: string,
  attributes: Readonly<Record<string, string>>,
  role: 'node' | 'container' | 'label',
): AttributeRemark[] {
  const remarks: AttributeRemark[] = [];
  for (const [name, value] of Object.entries(attributes)) {
    if (name.includes(':') || name === 'xmlns') continue;
    const remark =
      role === 'node'
        ? nodeRemark(element as Attributed, name, value)
        : listRemark(element, name, value, role === 'container');
    if (remark !== undefined) remarks.push(remark);
  }
  return remarks;
}

function nodeRemark(element: Attributed, name: string, value: string): AttributeRemark | undefined {
  const known = ATTRIBUTES[element];
  if (!Object.hasOwn(known, name)) return unknown(element, name, value, Object.keys(known));
  const treatment = known[name]!;
  if (treatment === 'read' || treatment === 'drawing' || treatment.except?.test(value) === true) return undefined;
  if ('ignored' in treatment) return { error: false, message: treatment.ignored };
  return { error: true, message: `${shown(element, name, value)}: ${treatment.refused}` };
}

/** Labels without an entry have structures, whose attributes the reader of terms examines. */
function listRemark(element: string, name: string, value: string, container: boolean): AttributeRemark | undefined {
  const known = (container ? CONTAINERS : LABELS)[element];
  if (known === undefined || known.includes(name)) return undefined;
  return container
    ? { error: false, message: `${shown(element, name, value)} is unknown and ignored` }
    : unknown(element, name, value, known);
}

function unknown(element: string, name: string, value: string, known: readonly string[]): AttributeRemark {
  const read = known.filter((k) => ATTRIBUTES[element as Attributed]?.[k] !== 'drawing');
  const message = `${shown(element, name, value)} is unknown: it could change the meaning of the net.`;
  return { error: true, message: `${message}${nearest(name, known)}${knownText(read)}` };
}

const shown = (element: string, name: string, value: string): string =>
  `the attribute ${name}=${quote(value, 60)} of <${element}>`;

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
