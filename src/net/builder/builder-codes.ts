/** An error code of the builder, for the error reference. */
export interface BuilderCode {
  readonly code: string;
  readonly meaning: string;
  /** Code that raises it. */
  readonly example: string;
}

/** Codes of the typed builder and of functions as expressions. Validation has its own list. */
export const BUILDER_CODES: readonly BuilderCode[] = [
  {
    code: 'NET003',
    meaning: 'An enumeration does not have this value.',
    example: "Sort.is('rest') of n.enumeration('Sort', 'work', 'stop')",
  },
  {
    code: 'NET004',
    meaning: 'A table that is read page by page does not state the bounds of its entries.',
    example: "n.intTable('next', pages)",
  },
  {
    code: 'NET005',
    meaning: "A transition's block is used after it has ended.",
    example: "n.transition('t', (t) => { kept = t; }); kept.take(p)",
  },
  {
    code: 'NET040',
    meaning:
      'A value of another kind or shape than is expected: a term, a plain value, the parts of a composite colour, or what a function on nets is given.',
    example: 't.put(p, { position: 3 }) of a record with x and y',
  },
  {
    code: 'NET041',
    meaning: 'A text where it is not known which enumeration it belongs to.',
    example: "eq('work', 'stop')",
  },
  {
    code: 'NET042',
    meaning: 'The block of a transition or a callback of a place returns a promise: what it says later would be lost.',
    example: "n.transition('t', async (t) => { … })",
  },
  {
    code: 'NET043',
    meaning: 'A transition is given a second delay, priority, weight, kind, process or label.',
    example: 't.delay(1); t.race({ delay: 2 })',
  },
  {
    code: 'NET044',
    meaning: 'A label exports something that is no variable.',
    example: "t.label('send', { r: add(r, 1) })",
  },
  {
    code: 'NET045',
    meaning: 'Initial tokens of a place with fields are given by their number alone.',
    example: "n.place('p', { r: Range }, { initial: 3 })",
  },
  {
    code: 'NET046',
    meaning:
      'A place, colour set, table or value of an enumeration belongs to another net: there it may stand for something else.',
    example: "other.place('p', { r: n.range('R', 0, 3) })",
  },
  {
    code: 'NET047',
    meaning: 'A variable is used outside the transition or place whose block gave it.',
    example: 'let r; first block: r = t.take(p).r; second block: t.put(p, { r })',
  },
  {
    code: 'NET048',
    meaning: 'A function that is an expression uses the builder while it is evaluated.',
    example: 't.fn({ r }, (s) => { t.take(p); return s.r; })',
  },
  {
    code: 'NET049',
    meaning: 'The limit for the tables of functions is no whole number from 0 to 2^26.',
    example: "new NetBuilder('n', { tableLimit: -1 })",
  },
  {
    code: 'NET050',
    meaning: 'A function reads a name that it was not given.',
    example: 't.fn({ turn }, (s) => s.trun)',
  },
  {
    code: 'NET051',
    meaning: 'A function uses randomness or a clock: Math.random, the date or time of now, crypto.',
    example: 't.fn({ r }, (s) => s.r * Math.random())',
  },
  {
    code: 'NET052',
    meaning: 'A function answers or reads otherwise when it is asked again: it depends on something that changes.',
    example: 'let k = 0; t.fn({ r }, (s) => s.r + k++)',
  },
  {
    code: 'NET053',
    meaning: 'A function answers in some state with what is no number, truth value or text: NaN, undefined, an object.',
    example: 't.fn({ r }, (s) => [4, 2][s.r]) where r may be 2',
  },
  {
    code: 'NET054',
    meaning: 'A function answers with a number in one state and a truth value or a text in another.',
    example: 't.fn({ r }, (s) => s.r > 0 && s.r)',
  },
  {
    code: 'NET055',
    meaning: 'A function returns a promise.',
    example: 't.fn({ r }, async (s) => s.r)',
  },
  {
    code: 'NET056',
    meaning: 'A function throws in some state.',
    example: 't.fn({ r }, (s) => rows[s.r].length) where a row is missing',
  },
  {
    code: 'NET057',
    meaning: 'A function changes what it is given, or keeps it and reads it later.',
    example: 't.fn({ r }, (s) => { s.r++; return s.r; })',
  },
  {
    code: 'NET058',
    meaning: 'An option that there is not, of the builder or of a function on nets.',
    example: "n.place('desk', {}, { capcity: 1 })",
  },
  {
    code: 'NET059',
    meaning: 'What is made an expression is no function, or what it shall read are no terms by name.',
    example: 't.fn([3], (s) => s[0])',
  },
  {
    code: 'NET078',
    meaning: 'A condition is made and not used: JavaScript’s own `!`, `&&`, `?:` and `if` take every term for true.',
    example: 't.guard(lt(r, 3) && eq(b, 0)), where only the second would count',
  },
  {
    code: 'NET080',
    meaning: 'An operator of JavaScript is used on a term: it would compare or add an object.',
    example: 't.guard(k > 1) where t.guard(gt(k, 1)) is meant',
  },
];
