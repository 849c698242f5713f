/** Kinds of parameters, with the arguments that they take. */
interface Arguments {
  readonly number: number;
  /** An identifier, or a piece of one. */
  readonly name: string;
  readonly code: string;
  /** Code for some operands, such as a member of the record with a handle. */
  readonly macro: (...operands: string[]) => string;
  /** Code for the members of a record, by name, each for the code of a handle. */
  readonly record: Readonly<Record<string, (handle: string) => string>>;
}

type Kind = keyof Arguments;
type Parameters = Readonly<Record<string, Kind>>;
type Given<P extends Parameters> = { readonly [N in keyof P]: Arguments[P[N]] };

/** A piece of the text of a part: text, or the use of a parameter. */
type Piece = string | { readonly name: string; readonly member: string; readonly operands: readonly string[] };

/**
 * A fixed part of the generated code, in the kernel language. Its text uses declared parameters only: `$NAME`, `$macro(a, b)` with
 * operands that are names, `$record.member(handle)`. They are replaced as text, so a part costs no more than its copy by hand.
 *
 *     const drop = part({ NONE: 'number', link: 'macro' }, `$link(node) = $NONE;`);
 *     drop({ NONE: -1, link: (node) => `N[${node} + 1]` }) // N[node + 1] = -1;
 *
 * The result throws an Error if a parameter is used but not declared, or declared but not used.
 */
export function part<const P extends Parameters>(parameters: P, text: string): (given: Given<P>) => string {
  let pieces: readonly Piece[] | undefined;
  return (given) => {
    pieces ??= piecesOf(parameters, text);
    return pieces.map((piece) => (typeof piece === 'string' ? piece : codeOf(piece, given))).join('');
  };
}

function codeOf({ name, member, operands }: Piece & object, given: Readonly<Record<string, Arguments[Kind]>>): string {
  const argument = given[name]!;
  switch (typeof argument) {
    case 'function':
      return argument(...operands);
    case 'object':
      return argument[member]!(operands[0]!);
    default:
      return String(argument);
  }
}

/** The text that must follow a name where it is used, by kind. */
const FORMS: Readonly<Record<Kind, RegExp>> = {
  number: /^(?!\w)/,
  name: /^/,
  code: /^(?!\w)/,
  macro: /^\((?<operands>[^()]*)\)/,
  record: /^\.(?<member>\w+)\((?<operands>\w+)\)/,
};

function piecesOf(parameters: Parameters, text: string): Piece[] {
  const unused = new Set(Object.keys(parameters));
  // Longer names first: a name that is a piece of an identifier may begin another name.
  const names = [...unused].sort((a, b) => b.length - a.length);
  const [head = '', ...uses] = text.split('$');
  const pieces: Piece[] = [head];
  for (const use of uses) {
    const name = names.find((known) => use.startsWith(known));
    const form = name === undefined ? null : FORMS[parameters[name]!].exec(use.slice(name.length));
    if (name === undefined || form === null) throw new Error(`undeclared parameter: $${use.slice(0, 20)}`);
    unused.delete(name);
    const { member = '', operands = '' } = form.groups ?? {};
    pieces.push({ name, member, operands: operands === '' ? [] : operands.split(', ') });
    pieces.push(use.slice(name.length + form[0].length));
  }
  if (unused.size > 0) throw new Error(`unused parameters: ${[...unused].join(', ')}`);
  return pieces;
}
