/** Codes of nets, of building and of composing them. */
export const NET_AREAS = {
  net: {
    title: 'Nets',
    example: 'How it reads',
    codes: {
      NET001: { meaning: 'A name is empty.', example: 'NET001 place stack: the name of its owner must not be empty' },
      NET002: {
        meaning: 'A name that must be unique is given twice.',
        example: 'NET002 place stack: duplicate column "spot.x"',
      },
      NET006: {
        meaning: 'A colour set has no values, bounds that are not integers, or a duplicate value.',
        example: 'NET006 colour set None: has no values: expected at least one',
      },
      NET007: {
        meaning: 'The numbers of a table do not match its kind.',
        example: 'NET007 table t: entry 9 is outside its bounds 0 … 7',
      },
      NET008: {
        meaning: 'A name is a property of every JavaScript object.',
        example: 'NET008 place p: field "constructor": this name is reserved, choose another',
      },
      NET009: {
        meaning:
          'A product or record cannot be split into columns: it contains itself, is too deep, or has too many columns.',
        example: 'NET009 colour set Tree: contains itself: Tree → Twig → Leaf → Tree',
      },
      NET010: {
        meaning: 'A field name contains a dot, the separator in column paths.',
        example: 'NET010 place p: field "a.b": expected a name without ".", the separator in column paths',
      },
      NET011: {
        meaning: 'Unknown colour set.',
        example:
          'NET011 place buffer: unknown colour set "Slots". Did you mean "Slot"? Known: Slot, Flag, Sort, Pair, Spot.',
      },
      NET012: {
        meaning: 'Unknown place.',
        example:
          'NET012 transition move, arc to bufer: unknown place "bufer". Did you mean "buffer"? Known: buffer, ended, wire, stack, desk.',
      },
      NET013: {
        meaning: 'The key of a place has an unknown or duplicate column, or is given for a bag.',
        example: 'NET013 place buffer: unknown column "slto" in its key. Did you mean "slot"? Known: slot, sort.',
      },
      NET014: {
        meaning: 'An initial token does not have a valid value for each column, or its count is invalid.',
        example: 'NET014 place ended: initial token: slot = 4 is not in Slot (0 … 3)',
      },
      NET015: {
        meaning: 'A link of a max-min service or one of its profiles is out of range, or a route uses an unknown link.',
        example: 'NET015 place wire, service: link "up" has capacity 0: expected a positive number',
      },
      NET016: {
        meaning: 'Unknown table, or a table of the wrong kind for this lookup.',
        example:
          'NET016 transition move, delay: unknown table "time". Did you mean "times"? Known: steps, times, factor, routes.',
      },
      NET017: {
        meaning: 'An arc uses an unknown column of its place, or an output arc omits a column.',
        example:
          'NET017 transition move, arc from buffer: unknown column "slots". Did you mean "slot"? Known: slot, sort.',
      },
      NET018: {
        meaning: 'The count of an arc is not an integer >= 1, or is given for a reset.',
        example: 'NET018 transition move, arc from buffer: a count of 0: expected an integer >= 1',
      },
      NET019: {
        meaning: 'Unknown keyword, for instance a kind, an order or an operator.',
        example: 'NET019 place ended: unknown order "lifo". Did you mean "fifo"? Known: bag, fifo, priority.',
      },
      NET020: {
        meaning: 'A transition takes no token and is not a race: it would fire indefinitely at one instant.',
        example:
          'NET020 transition move: takes no token: expected an arc that takes one (it may be put back), or the timing "race"',
      },
      NET021: {
        meaning: 'A variable is neither bound by a take or read arc nor free.',
        example:
          'NET021 transition move, arc to ended, slot: variable "slat" is not bound. Did you mean "slot"? Known: slot, sort.',
      },
      NET022: {
        meaning: 'An expression has the wrong type.',
        example: 'NET022 transition move, guard: expected a boolean, but "slot" is an integer',
      },
      NET023: {
        meaning: 'A constant is not a number.',
        example: 'NET023 transition move, delay: a constant is not a number',
      },
      NET024: {
        meaning: 'A constant is outside its enumeration.',
        example: 'NET024 transition move, guard: 2 is not a value of enumeration "Sort" (0 … 1)',
      },
      NET025: {
        meaning: 'A host-language function is unknown, or not a function.',
        example: 'NET025 transition move, delay: unknown function "waer". Did you mean "wear"? Known: wear.',
      },
      NET026: {
        meaning: 'An expression is nested too deeply, or has too many parts.',
        example: 'NET026 transition move, delay: the expression is nested deeper than 1000',
      },
      NET027: {
        meaning: 'A free variable has no finite set of scalar values to enumerate, or is already bound.',
        example:
          'NET027 transition toss: free variable "huge": colour set "Huge" has 1000000000 values, expected at most 1048576',
      },
      NET028: {
        meaning: 'A weight is not positive and finite.',
        example: 'NET028 transition toss: a weight of 0: expected a positive finite number',
      },
      NET029: {
        meaning: 'A parameter of a distribution is out of range.',
        example: 'NET029 transition toss, delay: rate is 0: expected a positive finite number',
      },
      NET030: {
        meaning:
          'The processes are not numbered by a range of moderate size, or do not end in a place with just that field.',
        example: 'NET030 processes: colour set "Flag" is not a range',
      },
      NET031: {
        meaning: 'A place has the order "priority" without a priority, or a priority without that order.',
        example: 'NET031 place ended: has a priority, but its order is "bag": expected "priority"',
      },
      NET032: {
        meaning: 'A capacity is not an integer >= 0, or is smaller than the initial marking.',
        example: 'NET032 place stack: the initial marking has 2 tokens: expected at most the capacity of 1',
      },
      NET033: {
        meaning: 'The number of servers of a service is not an integer >= 1.',
        example: 'NET033 place desk, service: 0 servers: expected an integer >= 1',
      },
      NET034: {
        meaning: 'The priority of a transition is not an integer.',
        example: 'NET034 transition toss: a priority of 0.5: expected an integer below 2^53',
      },
      NET035: {
        meaning:
          'A race has no delay or an invalid number of servers, or servers, memory or speed are given for a transition that is not a race.',
        example: 'NET035 transition toss: has the timing "race" and no delay: expected a delay',
      },
      NET036: {
        meaning: 'The module names are not in order, or contain a duplicate.',
        example:
          'NET036 place stack: module "left" comes after "right": expected distinct modules in order of their names',
      },
      NET037: {
        meaning: 'A part of a net is missing, unknown, or of the wrong type, which plain JavaScript does not detect.',
        example: 'NET037 place stack: capacity: expected a number, got "4"',
      },
      NET038: {
        meaning: 'A final marking lists a place twice, or a count that is not an integer >= 0.',
        example: 'NET038 final marking 1: duplicate place "buffer"',
      },
      NET039: {
        meaning:
          'A speed is negative or infinite, or a count has the name of a variable or is used outside speed and weight.',
        example: 'NET039 transition toss: a speed of -1: expected a finite number >= 0',
      },
    },
  },
  builder: {
    title: 'The builder, and functions as expressions',
    example: 'What provokes it',
    codes: {
      NET003: {
        meaning: 'An enumeration does not have this value.',
        example: "Sort.is('rest') of n.enumeration('Sort', 'work', 'stop')",
      },
      NET004: { meaning: 'A paged table has no bounds for its entries.', example: "n.intTable('next', pages)" },
      NET005: {
        meaning: "A transition's block is used after it has ended.",
        example: "n.transition('t', (t) => { kept = t; }); kept.take(p)",
      },
      NET040: {
        meaning:
          'A value has the wrong type or shape: a term, a plain value, the parts of a composite colour, or an argument of a function on nets.',
        example: 't.put(p, { position: 3 }) of a record with x and y',
      },
      NET041: { meaning: 'A string is used where its enumeration is unknown.', example: "eq('work', 'stop')" },
      NET042: {
        meaning: 'The block of a transition or a callback of a place returns a promise: its later calls would be lost.',
        example: "n.transition('t', async (t) => { … })",
      },
      NET043: {
        meaning: 'A transition is given a second delay, priority, weight, kind, process or label.',
        example: 't.delay(1); t.race({ delay: 2 })',
      },
      NET044: {
        meaning: 'A label exports a value that is not a variable.',
        example: "t.label('send', { r: add(r, 1) })",
      },
      NET045: {
        meaning: 'Initial tokens of a place with fields are given as a number, without colours.',
        example: "n.place('p', { r: Range }, { initial: 3 })",
      },
      NET046: {
        meaning:
          'A place, colour set, table or value of an enumeration belongs to another net, where it may have another meaning.',
        example: "other.place('p', { r: n.range('R', 0, 3) })",
      },
      NET047: {
        meaning: 'A variable is used outside the block of its transition or place.',
        example: 'let r; first block: r = t.take(p).r; second block: t.put(p, { r })',
      },
      NET048: {
        meaning: 'A function used as an expression calls the builder while it is evaluated.',
        example: 't.fn({ r }, (s) => { t.take(p); return s.r; })',
      },
      NET049: {
        meaning: 'The table limit for functions is not an integer from 0 to 2^26.',
        example: "new NetBuilder('n', { tableLimit: -1 })",
      },
      NET050: {
        meaning: 'A function reads a name that is not among its inputs.',
        example: 't.fn({ turn }, (s) => s.trun)',
      },
      NET051: {
        meaning: 'A function uses randomness or a clock: Math.random, the current date or time, crypto.',
        example: 't.fn({ r }, (s) => s.r * Math.random())',
      },
      NET052: {
        meaning: 'A function returns or reads different values when called again: it depends on changing state.',
        example: 'let k = 0; t.fn({ r }, (s) => s.r + k++)',
      },
      NET053: {
        meaning:
          'A function returns something other than a number, boolean or string in some state: NaN, undefined, an object.',
        example: 't.fn({ r }, (s) => [4, 2][s.r]) where r may be 2',
      },
      NET054: {
        meaning: 'A function returns a number in one state and a boolean or string in another.',
        example: 't.fn({ r }, (s) => s.r > 0 && s.r)',
      },
      NET055: { meaning: 'A function returns a promise.', example: 't.fn({ r }, async (s) => s.r)' },
      NET056: {
        meaning: 'A function throws in some state.',
        example: 't.fn({ r }, (s) => rows[s.r].length) where a row is missing',
      },
      NET057: {
        meaning: 'A function modifies its argument, or reads it after returning.',
        example: 't.fn({ r }, (s) => { s.r++; return s.r; })',
      },
      NET058: {
        meaning: 'An unknown option of the builder or of a function on nets.',
        example: "n.place('desk', {}, { capcity: 1 })",
      },
      NET059: {
        meaning: 'The arguments of `fn` are not an object of terms and a function.',
        example: 't.fn([3], (s) => s[0])',
      },
      NET078: {
        meaning:
          'A condition is created but not used: in JavaScript’s own `!`, `&&`, `?:` and `if`, every term is true.',
        example: 't.guard(lt(r, 3) && eq(b, 0)), where only the second would count',
      },
      NET080: {
        meaning: 'An operator of JavaScript is used on a term: it would compare or add an object.',
        example: 't.guard(k > 1) instead of t.guard(gt(k, 1))',
      },
    },
  },
  merge: {
    title: 'Composition',
    example: 'How it reads',
    codes: {
      NET060: {
        meaning: 'Modules have different colour sets of the same name.',
        example:
          'NET060 colour set Slot: is 0 … 3 in left and 0 … 7 in right: colour sets of the same name must be equal',
      },
      NET061: {
        meaning: 'Modules have different tables of the same name.',
        example: 'NET061 table times: differs between left and right: tables of the same name must be equal',
      },
      NET062: {
        meaning: 'Modules have different functions of the same name.',
        example:
          'NET062 function f: is one function in left and another in right: functions of the same name must be identical',
      },
      NET063: {
        meaning: 'Modules declare different processes.',
        example:
          'NET063 processes: are numbered by "Process" and ended in "end" in left, numbered by "Thread" and ended in "end" in right: modules that declare processes must agree',
      },
      NET064: {
        meaning: 'Modules have incompatible places of the same name.',
        example:
          'NET064 place buffer: fields (slot: Slot) in left and (slot: Item) in right: places of the same name are fused and must agree',
      },
      NET065: {
        meaning: 'Two modules give initial tokens of one place.',
        example:
          'NET065 place buffer: has initial tokens in left and in right: only one module may give initial tokens',
      },
      NET066: {
        meaning: 'Transitions of different modules that do not combine have the same name, or two combinations would.',
        example:
          'NET066 transition step: occurs in left and right without a common label: qualify the names of one module',
      },
      NET067: {
        meaning: 'Labels export variables of different colour sets under the same name.',
        example:
          'NET067 transition get+put: variable "item" has the colour Item in "get" of right and Slot in "put" of left: a shared variable must have one colour set',
      },
      NET068: {
        meaning: 'Two partners have delays, one of them a distribution.',
        example:
          'NET068 transition get+put: the delay of "put" of left is a distribution, but "get" of right has a delay, too: only one may have a delay',
      },
      NET069: {
        meaning: 'Partners with delays differ in timing or number of servers.',
        example:
          'NET069 transition get+put: timing race (servers: infinite) in "get" of right and race (servers: single) in "put" of left: partners must agree',
      },
      NET070: {
        meaning: 'Partners have different kinds or processes.',
        example:
          'NET070 transition get+put: kind control in "get" of right and communicate in "put" of left: partners must agree',
      },
      NET071: {
        meaning: 'A label exports something that is not a variable of its transition, or a variable under two names.',
        example:
          'NET071 transition put: label "go" in left exports "slit", which is neither bound by an input nor free. Did you mean "slot"? Known: slot.',
      },
      NET072: {
        meaning:
          'Partners belong to the same module, or to none, so that `close` could not recognise them as partners.',
        example:
          'NET072 transition get+put: "get" of left and "put" of left belong to the same module: give each net a different name',
      },
      NET073: {
        meaning: 'The transitions of a label have too many combinations.',
        example: 'NET073 label go: has 90000 combinations (300 in left, 300 in right): expected at most 65536',
      },
      NET074: {
        meaning: 'A label of a net to be closed has no partner.',
        example: 'NET074 label go: "put" of left has no partner in another module. Did you mean "goo"? Known: goo.',
      },
      NET075: {
        meaning: 'A name to be changed, kept or hidden does not exist.',
        example: 'NET075 label og: unknown name. Did you mean "go"? Known: go.',
      },
      NET076: { meaning: 'A new name is empty or taken.', example: 'NET076 place a: the new name "b" is taken' },
      NET077: {
        meaning:
          'A rule for combining delays, weights or priorities is not associative, not commutative, or does not return a number.',
        example: 'NET077 rule for delay: is not commutative: f(0, 0.5) = -0.5, f(0.5, 0) = 0.5',
      },
      NET079: {
        meaning: 'A module gives a place more initial tokens than its capacity in another module.',
        example:
          'NET079 place buffer: has 2 initial tokens in left and a capacity of 1 in right: the smallest capacity applies',
      },
    },
  },
} as const;
