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
    meaning: 'A paged table has no bounds for its entries.',
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
      'A value has the wrong type or shape: a term, a plain value, the parts of a composite colour, or an argument of a function on nets.',
    example: 't.put(p, { position: 3 }) of a record with x and y',
  },
  {
    code: 'NET041',
    meaning: 'A string is used where its enumeration is unknown.',
    example: "eq('work', 'stop')",
  },
  {
    code: 'NET042',
    meaning: 'The block of a transition or a callback of a place returns a promise: its later calls would be lost.',
    example: "n.transition('t', async (t) => { … })",
  },
  {
    code: 'NET043',
    meaning: 'A transition is given a second delay, priority, weight, kind, process or label.',
    example: 't.delay(1); t.race({ delay: 2 })',
  },
  {
    code: 'NET044',
    meaning: 'A label exports a value that is not a variable.',
    example: "t.label('send', { r: add(r, 1) })",
  },
  {
    code: 'NET045',
    meaning: 'Initial tokens of a place with fields are given as a number, without colours.',
    example: "n.place('p', { r: Range }, { initial: 3 })",
  },
  {
    code: 'NET046',
    meaning:
      'A place, colour set, table or value of an enumeration belongs to another net, where it may have another meaning.',
    example: "other.place('p', { r: n.range('R', 0, 3) })",
  },
  {
    code: 'NET047',
    meaning: 'A variable is used outside the block of its transition or place.',
    example: 'let r; first block: r = t.take(p).r; second block: t.put(p, { r })',
  },
  {
    code: 'NET048',
    meaning: 'A function used as an expression calls the builder while it is evaluated.',
    example: 't.fn({ r }, (s) => { t.take(p); return s.r; })',
  },
  {
    code: 'NET049',
    meaning: 'The table limit for functions is not an integer from 0 to 2^26.',
    example: "new NetBuilder('n', { tableLimit: -1 })",
  },
  {
    code: 'NET050',
    meaning: 'A function reads a name that is not among its inputs.',
    example: 't.fn({ turn }, (s) => s.trun)',
  },
  {
    code: 'NET051',
    meaning: 'A function uses randomness or a clock: Math.random, the current date or time, crypto.',
    example: 't.fn({ r }, (s) => s.r * Math.random())',
  },
  {
    code: 'NET052',
    meaning: 'A function returns or reads different values when called again: it depends on changing state.',
    example: 'let k = 0; t.fn({ r }, (s) => s.r + k++)',
  },
  {
    code: 'NET053',
    meaning:
      'A function returns something other than a number, boolean or string in some state: NaN, undefined, an object.',
    example: 't.fn({ r }, (s) => [4, 2][s.r]) where r may be 2',
  },
  {
    code: 'NET054',
    meaning: 'A function returns a number in one state and a boolean or string in another.',
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
    meaning: 'A function modifies its argument, or reads it after returning.',
    example: 't.fn({ r }, (s) => { s.r++; return s.r; })',
  },
  {
    code: 'NET058',
    meaning: 'An unknown option of the builder or of a function on nets.',
    example: "n.place('desk', {}, { capcity: 1 })",
  },
  {
    code: 'NET059',
    meaning: 'The arguments of `fn` are not an object of terms and a function.',
    example: 't.fn([3], (s) => s[0])',
  },
  {
    code: 'NET078',
    meaning: 'A condition is created but not used: in JavaScript’s own `!`, `&&`, `?:` and `if`, every term is true.',
    example: 't.guard(lt(r, 3) && eq(b, 0)), where only the second would count',
  },
  {
    code: 'NET080',
    meaning: 'An operator of JavaScript is used on a term: it would compare or add an object.',
    example: 't.guard(k > 1) instead of t.guard(gt(k, 1))',
  },
];
