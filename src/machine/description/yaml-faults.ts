import type { Code } from '../../base/codes.ts';

/** A fault in this package's words. */
interface Fault {
  readonly code: Code;
  readonly message: string;
}

const faulty = (message: string): Fault => ({ code: 'MACH002', message });
const unsupported = (message: string): Fault => ({ code: 'MACH003', message });
const NO_ANCHOR = 'anchors (&name) are not supported: write the value where it is used';
const NO_TAG = 'tags (!name) are not supported';

const openBracket = (mark: string): Fault =>
  faulty(
    `the bracket ${mark === ']' ? '[' : '{'} is not closed before this place: expected ${mark}, and all lines in between indented`,
  );

/** Message for a place where nothing is valid to the parser. It often follows from an earlier fault. */
export const NOT_EXPECTED = 'not expected here: check brackets, quotes and indentation of this line and the one before';

/** By a code of the parser: patterns of its messages, the most specific first, each with the fault that replaces it. */
const FAULTS: Readonly<Record<string, readonly (readonly [RegExp, Fault | ((found: RegExpExecArray) => Fault)])[]>> = {
  ALIAS_PROPS: [[/^/, unsupported('aliases (*name) are not supported: write the value')]],
  BAD_ALIAS: [
    [/^Alias/, unsupported('aliases (*name) are not supported: write the value; quote a string that begins with *')],
    [/^/, unsupported(`${NO_ANCHOR}; quote a string that begins with &`)],
  ],
  BAD_COLLECTION_TYPE: [[/^/, unsupported(NO_TAG)]],
  BAD_DIRECTIVE: [[/^/, unsupported('directives (lines that begin with %) are not supported: remove the line')]],
  BAD_DQ_ESCAPE: [
    [/sequence (.+)$/s, ([, raw]) => faulty(`${raw} is not an escape in double quotes: write \\\\ for a backslash`)],
  ],
  BAD_INDENT: [
    [/^Block scalar/i, faulty('the lines of a text after | or > are indented differently: indent them alike')],
    [/end with a ([\]}])/, ([, mark]) => openBracket(mark!)],
    [/^/, faulty('this line is indented differently from the lines that belong to it: indent them alike')],
  ],
  BAD_PROP_ORDER: [[/^/, unsupported('anchors (&name) and tags (!name) are not supported')]],
  BAD_SCALAR_START: [
    [
      /start with (?:directive indicator character |block scalar indicator |reserved character |flow indicator character )?(.+)$/s,
      ([, mark]) => faulty(`a value cannot begin with ${mark}: write it in quotes`),
    ],
    [/^/, faulty('a value cannot begin with this character: write it in quotes')],
  ],
  BLOCK_IN_FLOW: [
    [
      /^/,
      faulty('a list with - or an object over several lines is inside brackets: write [ … ] or { … } inside them, too'),
    ],
  ],
  IMPOSSIBLE: [
    [/^/, faulty('this is not YAML: check brackets, quotes and indentation of this line and the one before')],
  ],
  KEY_OVER_1024_CHARS: [[/^/, faulty('a key is longer than 1024 characters: expected KEY: VALUE')]],
  MISSING_CHAR: [
    [
      /closing (['"])quote/i,
      ([, mark]) => faulty(`a string that begins with ${mark} is not closed: expected another ${mark}`),
    ],
    [/end with a ([\]}])/, ([, mark]) => openBracket(mark!)],
    [/^Block collection cannot start/, faulty('expected a line end after ---')],
    [
      /^Block scalars/,
      faulty('the first lines of a text after | or > are indented more than the next: indent them alike'),
    ],
    [/^Missing newline after/, unsupported('anchors (&name) and tags (!name) are not supported')],
    [/^Comments must be/, faulty('expected a space before #, which begins a comment; or write the value in quotes')],
    [/^Missing space after :/, faulty('expected a space after the colon')],
    [/^Missing , or :/, faulty('expected a comma or a colon between the parts inside brackets')],
    [/^Missing ,/, faulty('expected a comma between the parts inside brackets')],
    [/^Sequence item without -/, faulty('expected - and a space, as the other lines of this list have')],
    [/^Tags and anchors/, unsupported('anchors (&name) and tags (!name) are not supported')],
    [/directives-end/, unsupported('directives (lines that begin with %) are not supported: remove the line')],
    [/^/, faulty('a character is missing here: check brackets, quotes and colons of this line')],
  ],
  MULTILINE_IMPLICIT_KEY: [[/^/, faulty('a key goes on over the end of its line: expected KEY: VALUE')]],
  MULTIPLE_DOCS: [[/^/, unsupported('a second document: expected one machine per file')]],
  MULTIPLE_ANCHORS: [[/^/, unsupported(NO_ANCHOR)]],
  MULTIPLE_TAGS: [[/^/, unsupported(NO_TAG)]],
  NON_STRING_KEY: [[/^/, faulty('expected a plain name as key')]],
  RESOURCE_EXHAUSTION: [[/^/, { code: 'MACH004', message: 'is nested too deeply' }]],
  TAB_AS_INDENT: [[/^/, faulty('a tab indents this line: indent with spaces')]],
  BLOCK_AS_IMPLICIT_KEY: [[/^/, faulty('expected KEY: VALUE, one to a line')]],
  UNEXPECTED_TOKEN: [
    [/^Unexpected , in/, faulty('a comma without a value before it: remove it')],
    [/block-seq-ind on same line/, faulty('a list with - begins on a new line, below its key')],
    [/^Unexpected empty item/, faulty('a comma without a value before it: remove it')],
    [/extra characters/, faulty('expected nothing but a line end after | or >')],
    [/([\]}]|flow-(?:map|seq)-end)/, faulty('a closing bracket without an opening one: remove it')],
    [/^/, faulty(NOT_EXPECTED)],
  ],
};

/** The fault for an error of the YAML parser. Its messages are replaced, because they use terms of its grammar. */
export function faultText(code: string, message: string): Fault {
  for (const [pattern, fault] of FAULTS[code] ?? []) {
    const found = pattern.exec(message.split('\n', 1)[0]!);
    if (found !== null) return typeof fault === 'function' ? fault(found) : fault;
  }
  return faulty('this is not YAML: check brackets, quotes and indentation of this line and the one before');
}

/** The codes of the parser that have words here. */
export const KNOWN_FAULTS: readonly string[] = Object.keys(FAULTS);
