/** A problem in the table of errors. */
export interface CodeEntry {
  readonly meaning: string;
  /** An input that causes the problem, or a sample of the message. */
  readonly example: string;
}

/** Codes of one subject. */
export interface CodeArea {
  readonly title: string;
  /** Heading of the column of examples. */
  readonly example: 'How it reads' | 'What provokes it';
  readonly codes: Readonly<Record<string, CodeEntry>>;
}

/**
 * All problem codes by subject. Code uses only the type {@link Code}, so that an unknown code does not compile; docs/errors.md
 * is written from this table.
 */
export const CODE_AREAS = {
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
        meaning: 'A link of a max-min service is out of range, or a route uses an unknown link.',
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
        meaning: 'A race has no delay, or servers are given for a transition that is not a race.',
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
  netJson: {
    title: 'Nets in JSON',
    example: 'How it reads',
    codes: {
      NET100: {
        meaning: 'The text or its content exceeds the limits.',
        example: 'net.json:11:13: NET100 places[0].initial[0]: the initial marking has more than 4194304 tokens',
      },
      NET101: {
        meaning: 'The text is not valid JSON.',
        example: 'net.json:1:11: NET101 invalid JSON: expected "," or "]", got "2"',
      },
      NET102: {
        meaning: 'The text has another format or version.',
        example: 'net.json:1:1: NET102 expected version 1, got 2',
      },
      NET103: {
        meaning: 'An expression, or a skipped value, is nested too deeply.',
        example: 'NET103 transition work: an expression is nested deeper than 200',
      },
      NET104: {
        meaning: 'A value has the wrong type.',
        example: 'net.json:16:11: NET104 transitions[0].name: expected a string, got a number',
      },
      NET105: {
        meaning: 'Unknown member.',
        example: 'net.json:4:1: NET105 colours[0]: unknown member "low" of kind "integer".',
      },
      NET106: { meaning: 'Missing member.', example: 'net.json:4:1: NET106 colours[0]: missing member "high"' },
      NET107: {
        meaning: 'Duplicate member.',
        example: 'net.json:19:13: NET107 transitions[0].delay: duplicate member',
      },
      NET108: {
        meaning: 'A number is not an integer, or exceeds 32 bits, 2^53 or a double.',
        example: 'net.json:8:28: NET108 tables[0]: expected a 32-bit integer, got 0.5',
      },
      NET109: {
        meaning: 'An unknown operator, or the wrong number of operands.',
        example: 'net.json:19:10: NET109 transitions[0].delay: "add" has 1 operand, expected 2',
      },
      NET110: {
        meaning: 'A string is not one of the expected values.',
        example:
          'net.json:11:13: NET110 colour set "Sort" has no value "gren". Did you mean "green"? Known: red, green.',
      },
      NET111: {
        meaning: 'A net has a host-language function, which cannot be written.',
        example:
          'NET111 transition sweep: host-language function "wear" cannot be written to a file: use a table instead',
      },
      NET112: {
        meaning: 'A file declares a net untimed, but a transition has a delay or timing.',
        example: 'net.json:16:5: NET112 transition move: has a delay or timing in an untimed net: expected none',
      },
    },
  },
  pnml: {
    title: 'Nets in PNML',
    example: 'What provokes it',
    codes: {
      PNML001: {
        meaning: 'The input is empty, binary, too large, invalid in its encoding, or neither a string nor bytes.',
        example: 'an image',
      },
      PNML002: { meaning: 'The file is not well-formed XML, or ends too early.', example: '<place id="p">' },
      PNML003: {
        meaning: 'The file has a document type: PNML has none, and entities are never expanded.',
        example: '<!DOCTYPE pnml [ … ]>',
      },
      PNML004: { meaning: 'Elements are nested too deeply.', example: 'a page in a page in a page …' },
      PNML005: { meaning: 'An element is unknown or misplaced.', example: '<place id="p"><delay/></place>' },
      PNML006: { meaning: 'An attribute is missing or empty.', example: '<arc id="a" source="p"/>' },
      PNML007: {
        meaning: 'A number is invalid, negative, or larger than supported.',
        example: '<inscription><text>-1</text></inscription>',
      },
      PNML008: { meaning: 'A duplicate id or label.', example: 'two places with the id "p"' },
      PNML009: {
        meaning: 'There is no net, there are several, or its type is not supported.',
        example: '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnnet">',
      },
      PNML010: { meaning: 'A reference to an unknown id.', example: '<arc id="a" source="p" target="?"/>' },
      PNML011: {
        meaning: 'An arc does not connect a place and a transition, or has the wrong direction.',
        example: 'an arc between two places',
      },
      PNML012: {
        meaning: 'A sort, an operator or a reference contains itself.',
        example: '<namedsort id="s" name="S"><usersort declaration="s"/></namedsort>',
      },
      PNML013: {
        meaning: 'A sort is not supported: it is infinite, or not a sort of symmetric nets.',
        example: '<type><structure><natural/></structure></type>',
      },
      PNML014: { meaning: 'An operator is unknown or not supported.', example: '<cardinality>' },
      PNML015: { meaning: 'A sort or an operator has the wrong number of parts.', example: '<successor/>' },
      PNML016: { meaning: 'Sorts do not match.', example: 'a process on an arc to a place of resources' },
      PNML017: {
        meaning: 'An initial marking has variables, or a negative number of tokens of a colour.',
        example: "the marking 1'a − 2'a",
      },
      PNML018: {
        meaning: 'A colour set, a multiset or an expression has more parts than supported.',
        example: '<all> of a product of 10¹² colours',
      },
      PNML019: {
        meaning: 'A label is missing, or has only <text> where <structure> is needed.',
        example: 'a place of a symmetric net without a type',
      },
      PNML020: {
        meaning: 'An arc has an unsupported kind, or an unsupported combination of features.',
        example: '<type value="transport"/>',
      },
      PNML021: {
        meaning: 'An attribute of a node, arc or label is unknown, or has a meaning that is not supported.',
        example: '<arc id="a" source="p" target="t" wieght="2"/>',
      },
    },
  },
  unfold: {
    title: 'Unfolding',
    example: 'What provokes it',
    codes: {
      UNF001: {
        meaning: 'A field or free variable ranges over the unbounded integers.',
        example: "n.place('p', { k: n.integer('Int') })",
      },
      UNF002: {
        meaning: 'The unfolded net would have more places and transitions than the limit.',
        example: 'a place of two fields 0 … 9999 with `reachableOnly: false`',
      },
      UNF003: {
        meaning: 'The search for bindings tries too many combinations: a guard excludes them only when complete.',
        example: 'four arcs to places of 1000 colours each, and a guard on their sum',
      },
      UNF004: {
        meaning: 'In a fifo or priority place, tokens of several colours share one queue: their order would be lost.',
        example: "order: 'fifo' of a place with two colours",
      },
      UNF005: {
        meaning: 'A service is shared by several colours, which would become separate stations.',
        example: 'one server for a place with two colours',
      },
      UNF006: {
        meaning:
          'A transition resets only some of the colours that share a capacity or are counted by one inhibitor: the remaining tokens depend on the marking.',
        example: "t.reset(buffer, { sort: 'red' }) of a buffer with a capacity",
      },
      UNF007: {
        meaning: 'An inhibitor counts several tokens over several colours of a place with a service.',
        example: 't.inhibit(station, {}, 3) of an infinite server with two colours',
      },
      UNF008: {
        meaning: 'A race with a single server has several bindings that share it.',
        example: "t.race({ delay: 1, servers: 'single' }) of a transition with two bindings",
      },
      UNF009: {
        meaning: 'An expression has no valid value for a possible binding.',
        example: 'times.at(k) where k may be 5 in a table of five',
      },
      UNF010: {
        meaning: 'The unfolded net would have more than ten arcs per node of the limit.',
        example: 'an inhibitor without pattern on a place of 10,000 colours in 10,000 bindings',
      },
    },
  },
  incidence: {
    title: 'Incidence matrices',
    example: 'What provokes it',
    codes: {
      INC001: {
        meaning: 'The matrix would have more than ten million cells, too many for a table in CSV.',
        example: 'a net of 10,000 places and 2,000 transitions',
      },
      INC002: { meaning: 'A number of tokens does not fit into 32 bits.', example: 't.take(p, {}, 2 ** 32)' },
    },
  },
  svg: {
    title: 'Drawings',
    example: 'What provokes it',
    codes: {
      SVG001: {
        meaning: 'More nodes or arcs than the limit: the layout would be slow, and the drawing unreadable.',
        example: 'a net of 301 places',
      },
    },
  },
  run: {
    title: 'Runs',
    example: 'What provokes it',
    codes: {
      RUN001: {
        meaning: 'More steps at one instant than allowed: usually an endless cycle without delay.',
        example: 'a transition that takes a token and puts it back at once',
      },
      RUN002: {
        meaning: 'A value is outside the colour set of its field.',
        example: 'i + 1 at the end of a range 0 … 9',
      },
      RUN003: { meaning: 'A table index is out of range.', example: 'times[9] in a table of five' },
      RUN004: {
        meaning:
          'A delay or service time is negative, NaN, or ends at infinity, or a distribution has invalid parameters.',
        example: 'delay −1; exponential of rate 0',
      },
      RUN005: { meaning: 'A count is not an integer from 0 to 10⁶.', example: 'a count of 0.5' },
      RUN006: { meaning: 'A demand on a max-min service is out of range.', example: 'a weight of 0' },
      RUN007: { meaning: 'A route is not in the routes table.', example: 'route 7 of a table of four' },
      RUN008: {
        meaning: 'A weight is not a positive finite number, or a sum of weights is not finite.',
        example: 'a weight of 0',
      },
      RUN009: { meaning: 'A function returned a value of the wrong type.', example: 'Math.log(-1)' },
      RUN010: {
        meaning: 'A saved run belongs to another net or version.',
        example: 'resuming a run after the net was changed',
      },
      RUN011: { meaning: 'The net is too large to compile.', example: 'a million places' },
      RUN012: {
        meaning: 'An observer runs or saves the run that it observes.',
        example: 'an observer that calls run()',
      },
      RUN013: {
        meaning: 'A memory limit is exceeded: 2 GiB of tokens, 2^23 tokens waiting for a server, 2^22 race clocks.',
        example: 'an unbounded source, run for a billion steps',
      },
      RUN014: { meaning: 'The priority of a token is NaN.', example: 'the priority k / k of a token with k = 0' },
      RUN015: { meaning: 'The process of a draw is not an integer <= 2^53.', example: 'the process k % 0' },
      RUN016: {
        meaning: 'A figure of a result exceeds the range of a double.',
        example: 'three computations of 1e308 flops on one host',
      },
    },
  },
  simulation: {
    title: 'Simulation and replication',
    example: 'What provokes it',
    codes: {
      SIM001: {
        meaning:
          'A monitor, a recording or a stop condition names an unknown place or transition, or a monitor is invalid.',
        example: "simulate(net, { monitors: { q: { tokens: 'quue' } } })",
      },
      SIM002: {
        meaning: 'A monitor measures firings in progress of a transition without a delay.',
        example: "simulate(net, { monitors: { m: { busy: 'immediate' } } })",
      },
      SIM003: {
        meaning: 'A time, a seed, or a number of steps, of replications or of workers is out of range.',
        example: 'simulate(net, { until: -1 })',
      },
      SIM004: {
        meaning: 'Monitors or a recording are requested for a compiled net, whose observers are fixed.',
        example: "simulate(compile(net), { record: 'all' })",
      },
      SIM005: {
        meaning: 'A saved run is resumed with different monitors or a different recording.',
        example: "simulate(net, { from: saved, monitors: { other: { tokens: 'p' } } })",
      },
      SIM006: {
        meaning: 'A net to be replicated in worker threads has a function that could not be tabulated.',
        example: 'replicate(net, { replications: 100 })',
      },
      SIM007: {
        meaning: 'A module to be replicated cannot be imported, or does not export a net under the given name.',
        example: "replicate({ module: new URL('./model.ts', import.meta.url), export: 'ner' }, { replications: 100 })",
      },
      SIM008: {
        meaning: 'A module builds a different net in a worker thread than in the thread that started it.',
        example: 'a net with a delay from Math.random, called at import',
      },
      SIM009: {
        meaning: 'A summary of no values or of values that are not finite, or an invalid confidence.',
        example: 'summary([1, 2], 95)',
      },
      SIM010: {
        meaning: 'An option is unknown or has the wrong type, which plain JavaScript does not detect.',
        example: 'simulate(net, { maxstep: 5 })',
      },
      SIM011: {
        meaning: 'More than 2^23 firings are recorded, the maximum kept in memory.',
        example: "simulate(net, { record: 'all' }) of a source, run for a billion steps",
      },
    },
  },
  spaceAnswer: {
    title: 'State spaces',
    example: 'What provokes it',
    codes: {
      EXPL001: {
        meaning: 'A place group of --bounds names a place that the net does not have.',
        example: 'foretoken explore net.json --bounds "buffer,ful"',
      },
      EXPL002: {
        meaning: 'A place group of --bounds is empty.',
        example: 'foretoken explore net.json --bounds "buffer;;full"',
      },
      EXPL003: {
        meaning: 'The graph has more states or edges than the drawing limit; its layout would be slow and unreadable.',
        example: 'foretoken explore philosophers.json --graph out.svg, of 2,000 states',
      },
      EXPL004: {
        meaning: 'The file extension of the output is not a supported graph format.',
        example: 'foretoken explore net.json --graph out.png',
      },
      EXPL005: {
        meaning: 'A limit of an exploration is not a positive number, or the search order is unknown.',
        example: 'explore(net, { maxStates: 0 })',
      },
    },
  },
  structure: {
    title: 'Structure',
    example: 'What provokes it',
    codes: {
      STR001: {
        meaning: 'An option of a structural analysis is invalid or out of range.',
        example: 'structure(net, { sets: 0 })',
      },
      STR002: {
        meaning: 'A target to be proved unreachable is empty, has path operators, or is not a formula.',
        example: "foretoken structure net.pnml --unreachable 'EF deadlock'",
      },
      STR003: {
        meaning: 'Shapes of unknown nodes, or of a net with colours.',
        example: "verifyShapes(net, { places: { nowhere: { kind: 'start' } } })",
      },
    },
  },
  coverability: {
    title: 'Coverability',
    example: 'What provokes it',
    codes: {
      COV001: {
        meaning:
          'A transition has an inhibitor or a capacity on places that other transitions fill without that limit; coverability is undecidable.',
        example: 't.inhibit(buffer) of a buffer without capacity',
      },
      COV002: {
        meaning: 'The net has resets, for which boundedness is undecidable.',
        example: 'upper-bound(tokens(p)) of a net with t.reset(q)',
      },
      COV003: {
        meaning: 'The condition has too many minimal markings to list, or more tokens may make it false.',
        example: 'tokens(a) + … + tokens(z) >= 1000',
      },
      COV004: {
        meaning: 'Warning: a run reached its step limit, and the net has an unbounded place.',
        example: 'foretoken predict source.json --max-steps 1000',
      },
    },
  },
  reduction: {
    title: 'Reductions',
    example: 'What provokes it',
    codes: {
      RED001: {
        meaning: 'The net has priorities, or both race and immediate transitions, so its steps do not commute.',
        example: 'foretoken verify gspn.json -p deadlock-free --reduce stubborn',
      },
      RED002: {
        meaning:
          'The requested reduction does not preserve the property: paths, liveness, bounds and counts need the full state space.',
        example: 'foretoken verify net.pnml -p live --reduce stubborn',
      },
      RED003: {
        meaning: 'A structural reduction rule is unknown, or does not preserve the requested class of properties.',
        example: "structurallyReduced(petri, { keep: 'paths', visible: new Set() }, ['post-fusion'])",
      },
      RED004: {
        meaning:
          'A place holds more than 2³¹ − 1 tokens, initially or in a marking reached by the search; the net may be unbounded.',
        example: 'a transition that doubles the tokens of a place',
      },
      RED005: {
        meaning: 'The net cannot be unfolded to a place/transition net, which reductions require.',
        example: 'foretoken verify net.json -p deadlock-free --reduce all, of a queue of several colours',
      },
      RED006: { meaning: 'Unknown reduction.', example: "verify(net, ['safe'], { reduce: 'stuborn' })" },
    },
  },
  safe: {
    title: 'Safe nets',
    example: 'What provokes it',
    codes: {
      SAFE001: {
        meaning: 'A place is unbounded, or its bound is unknown: only bounded nets have an equivalent safe net.',
        example: 'a producer without a consumer',
      },
      SAFE002: {
        meaning: 'The safe net would have more places and transitions than the limit.',
        example: 'a transition with ten places of up to nine tokens each',
      },
      SAFE004: {
        meaning: 'A place of the net holds several tokens, and the safe net could not keep a time of the net.',
        example: 'a queue of several tokens at a server',
      },
    },
  },
  ti: {
    title: 'Time-independent traces',
    example: 'What provokes it',
    codes: {
      TI001: { meaning: 'The file cannot be read.', example: 'a directory' },
      TI002: { meaning: 'The file has no actions.', example: 'an empty file' },
      TI003: { meaning: 'The file is not text.', example: 'a program; UTF-16' },
      TI004: { meaning: 'A line is longer than allowed.', example: 'a file without line ends' },
      TI005: {
        meaning: 'Compressed data is damaged, or too large when decompressed.',
        example: 'a gzip file cut short',
      },
      TI006: {
        meaning:
          'An entry of a listing is not a trace file: it is missing, no regular file, the listing itself, another listing, or outside the folder of the listing (--confine).',
        example: 'rank-0.ti, which does not exist',
      },
      TI007: { meaning: 'The file changes while it is read.', example: 'a trace that is still being written' },
      TI008: {
        meaning: 'A temporary file cannot be used.',
        example: 'no free space in the directory for temporary files',
      },
      TI010: { meaning: 'A line does not begin with the number of a rank.', example: 'compute 1e9' },
      TI011: { meaning: 'A rank is out of range.', example: '1000000000 init' },
      TI012: {
        meaning: 'A rank has no line, or there are fewer ranks than requested.',
        example: 'lines of ranks 0 and 2',
      },
      TI013: {
        meaning: 'The file of one rank has a line of another.',
        example: '1 init in the first file of a listing',
      },
      TI020: { meaning: 'An action is unknown or missing.', example: '0 fly 7' },
      TI021: { meaning: 'An action of MPI that cannot be replayed.', example: '0 ibarrier' },
      TI022: { meaning: 'An action has too few or too many arguments.', example: '0 send 1' },
      TI023: { meaning: 'An argument is not a number of the expected type.', example: '0 compute nan' },
      TI024: { meaning: 'A rank in an argument is out of range.', example: '0 send 2 0 8 of two ranks' },
      TI025: { meaning: 'A tag is out of range.', example: '0 send 1 -7 8' },
      TI026: {
        meaning: 'A datatype is unknown, or derived without a given size (--datatype -1=BYTES).',
        example: '0 send 1 0 8 99',
      },
      TI027: { meaning: 'A number of bytes exceeds 2^53 − 1.', example: '0 send 1 0 1e16' },
      TI030: {
        meaning: 'A wait or test refers to a request that is not outstanding.',
        example: '0 wait 0 1 0 without an isend or irecv',
      },
      TI031: {
        meaning:
          'The k-th collectives of two ranks differ, usually because the program has sub-communicators, which traces do not record.',
        example: '0 barrier and 1 bcast 8 0',
      },
      TI032: {
        meaning: 'A rank ends with fewer collectives than another, without a deadlock in the replay.',
        example: 'two barriers of rank 0, one of rank 1',
      },
      TI040: { meaning: 'Warning: a rank has no finalize.', example: 'a trace cut short' },
      TI041: { meaning: 'Warning: a rank continues after its finalize.', example: 'a trace written twice to one file' },
      TI042: {
        meaning: "Warning: the source −333 is read as any source, as SimGrid's tracer writes it.",
        example: '0 recv -333 0 8',
      },
      TI043: {
        meaning: 'Note: the trace has collectives, and the format does not record their communicators.',
        example: 'a trace with 0 barrier and 1 barrier',
      },
      TI044: {
        meaning:
          "Result not known: a partner of a sendRecv has no line for it. SimGrid's tracer writes no line for MPI_Sendrecv with MPI_PROC_NULL, and no tags for any. Insert the line, or record with MPI_Send and MPI_Recv.",
        example: '1 sendRecv 1 2 1 0, and no line of rank 0 but init and finalize',
      },
      TI050: { meaning: 'The trace has more actions than supported.', example: 'more than 2147483647 actions' },
    },
  },
  runRecord: {
    title: 'Run records',
    example: 'What provokes it',
    codes: {
      REC001: { meaning: 'A run record cannot be read or written.', example: 'foretoken profile missing.ftrun' },
      REC002: {
        meaning: 'A file is not a run record, or its version is not supported.',
        example: 'a text file with the ending .ftrun',
      },
      REC003: {
        meaning: 'A run record is truncated or corrupt; the byte offset of the first bad block is given.',
        example: 'a .ftrun file cut in half',
      },
      REC004: {
        meaning: 'A column is unknown or duplicate, or a required one is missing.',
        example: 'a states.csv with the header process,begin,end,state',
      },
      REC005: {
        meaning: 'A cell is missing, has the wrong type (a number, a state, an interval path), or is out of range.',
        example: '0,0,1,sleeping in a states.csv',
      },
      REC006: { meaning: 'A span ends before it begins.', example: '0,2,1,computing' },
      REC007: {
        meaning: 'Two spans of one process overlap, or are not ordered by time where required.',
        example: '0,0,2,computing and 0,1,3,waiting',
      },
      REC008: {
        meaning:
          'A process has no states, although a process with a higher number has, or the head of the record names it.',
        example: 'rows of the processes 0 and 2 only',
      },
      REC009: {
        meaning:
          'A message has no partner: its source or destination is not a process of the run. In a Chrome trace: a span has no begin (B) or no end (E).',
        example: 'a message to process 4 of a run of 4 processes',
      },
      REC010: {
        meaning: 'A record has more rows, processes or bytes than can be read.',
        example: 'a JSON line of a gigabyte',
      },
      REC011: {
        meaning:
          'A process is not idle while its node does not take part in the run, or a node joins or leaves outside the run.',
        example: '"joined": 1 for a node with a process that computes from 0 s on',
      },
      REC012: {
        meaning: 'A warning: the recorded run takes months; its times are probably not in seconds.',
        example: '0,0,2e9,computing of a clock in nanoseconds',
      },
      REC013: {
        meaning:
          'Messages are received before they are sent: the clocks of the processes differ. `profile --align` shifts them.',
        example: 'a message that is sent at 2 s and received at 1.9 s',
      },
      REC014: {
        meaning: 'Record files that are given together are not parts of one run.',
        example: 'foretoken profile host0.jsonl host1.jsonl, with another number of processes in the second head',
      },
    },
  },
  profile: {
    title: 'Profiles',
    example: 'What provokes it',
    codes: {
      PROF001: {
        meaning: 'An instant lies outside the run.',
        example: 'foretoken profile states.csv --at 100, of a run of one second',
      },
      PROF002: {
        meaning: 'A process number is not one of the run.',
        example: 'foretoken profile states.csv --process 8, of a run on 8 processes',
      },
      PROF003: {
        meaning: 'The run has no interval of this path.',
        example: 'foretoken profile states.csv --interval solv',
      },
      PROF004: { meaning: 'A warning: the record has no states.', example: 'a states.csv with a header only' },
      PROF005: {
        meaning: 'A warning: the record notes a diagnosis of its run, for instance a deadlock.',
        example: 'foretoken profile run.ftrun, of a program that deadlocks',
      },
      PROF006: {
        meaning: 'An input is a net, or an option does not apply to the input.',
        example: 'foretoken profile run.ftrun --machine cluster.yaml',
      },
      PROF007: {
        meaning: 'A warning: a process goes on while its node does not take part in the run.',
        example: 'a row of states from 1 to 2 s, and stays of the node from 0 to 1.2 s and from 1.5 to 2 s',
      },
    },
  },
  worker: {
    title: 'Worker states',
    example: 'What provokes it',
    codes: {
      WRK001: {
        meaning: 'A worker makes a transition that does not exist, such as from WAIT to EXEC.',
        example: '0,1,WAIT and 0,2,EXEC in a workers.csv',
      },
      WRK002: { meaning: 'The time of a worker runs backwards.', example: '0,2,EXEC and 0,1,LOCAL' },
      WRK003: {
        meaning: 'A worker has no END: the time of its last state is unknown.',
        example: 'a workers.csv whose last row of worker 3 is 3,7.5,EXEC',
      },
      WRK004: { meaning: 'A worker has a row after its END, in the same region.', example: '0,2,END and 0,3,EXEC' },
      WRK005: {
        meaning: 'A run has more than a million workers, or none.',
        example: 'a workers.csv with a header only',
      },
      WRK006: { meaning: 'A region has no name, or takes no time.', example: '0,1,EXEC,loop and 0,1,END,loop' },
      WRK007: { meaning: 'A state is given for a name that no span has.', example: '--state tusk=EXEC' },
    },
  },
  diagnosis: {
    title: 'Diagnoses',
    example: 'What provokes it',
    codes: {
      DIAG001: {
        meaning: 'A threshold or another option of a diagnosis is out of its range.',
        example: 'foretoken diagnose workers.csv --active 1.5',
      },
      DIAG002: {
        meaning: 'A sequential time is given for a region that the run does not have, or without a region for several.',
        example: 'foretoken diagnose workers.csv --sequential lop=2.5',
      },
      DIAG003: {
        meaning: 'The monitoring period is too short: the run would have more than 10,000 periods.',
        example: 'foretoken diagnose workers.csv --period 1e-9',
      },
      DIAG004: { meaning: 'The input is not a recording of worker states.', example: 'foretoken diagnose trace.ti' },
      DIAG005: {
        meaning: 'A warning: the run has more than 100,000 workers, so that only sums are listed.',
        example: 'a workers.csv of a million workers',
      },
      DIAG008: {
        meaning: 'A run of a thread model takes more than 10⁹ steps.',
        example: 'foretoken diagnose model.ts, of a model with 10⁸ tasks',
      },
      DIAG009: {
        meaning: 'An option of recorded runs is given for a model, or the reverse.',
        example: 'foretoken diagnose workers.csv --workers 8',
      },
    },
  },
  collective: {
    title: 'Collectives',
    example: 'What provokes it',
    codes: {
      COLL001: { meaning: 'The number of ranks is not an integer >= 1.', example: '0 ranks' },
      COLL002: { meaning: 'The rank is out of range.', example: 'rank 8 of 8' },
      COLL003: { meaning: 'The root is out of range.', example: 'a bcast of 8 ranks with root 8' },
      COLL004: {
        meaning: 'The length of a list with one entry per rank differs from the number of ranks.',
        example: 'a gatherv of 8 ranks with 7 counts',
      },
      COLL005: {
        meaning: 'A number of bytes or operations is not a finite number >= 0.',
        example: 'an allreduce of −8 bytes',
      },
      COLL006: { meaning: 'A peer of a sendRecv is out of range.', example: 'a sendRecv to rank 8 of 8' },
    },
  },
  unit: {
    title: 'Quantities with units',
    example: 'What provokes it',
    codes: {
      UNIT001: { meaning: 'A value is neither a number nor a number with a unit.', example: 'latency: fast' },
      UNIT002: {
        meaning: 'A unit is unknown, or belongs to another dimension.',
        example: "cluster({ memory: '12GB', … }), where a rate is expected",
      },
      UNIT003: { meaning: 'A quantity is out of range.', example: "bandwidth: '0GB/s'" },
    },
  },
  model: {
    title: 'Models of programs',
    example: 'What provokes it',
    codes: {
      MODEL001: { meaning: 'The options of `spmd` or `mpmd` are invalid.', example: "spmd({ name: 'x' })" },
      MODEL002: { meaning: 'A variable has no possible value.', example: 'range(3, 1)' },
      MODEL003: { meaning: 'A parameter of noise is out of range.', example: 'noise.lognormal(-1)' },
      MODEL004: {
        meaning: 'The model does not run on this number of ranks.',
        example: '--ranks 3 for a coupled model of 4 ranks',
      },
      MODEL005: { meaning: 'An unknown parameter, or a value of the wrong type.', example: '--set m=3' },
      MODEL006: {
        meaning: 'Sizes of a grid are not integers, or their product is not the number of ranks.',
        example: 'grid2d(6, { sizes: [4, 2] })',
      },
      MODEL010: {
        meaning: 'A function of the state uses the builder.',
        example: 'm.when(s => { m.barrier(); return true; }, …)',
      },
      MODEL011: {
        meaning: 'A block returns a promise, or the builder is used after the model was built.',
        example: 'async build(m) { … }',
      },
      MODEL012: { meaning: 'An argument of a statement has the wrong type.', example: 'm.when(true, …)' },
      MODEL013: { meaning: 'The rank is read while the model is built.', example: 'if (m.rank === 0) m.barrier()' },
      MODEL014: {
        meaning: 'A statement lacks an option, or has two mutually exclusive ones.',
        example: 'm.send({ to: 1 })',
      },
      MODEL015: { meaning: 'An argument is not a request.', example: 'm.wait(3)' },
      MODEL016: {
        meaning: 'A variable is not declared by the model.',
        example: "m.loop('j', 3, …) with vars: { i: counter() }",
      },
      MODEL017: { meaning: 'A communicator belongs to another model.', example: 'm.barrier({ comm: other })' },
      MODEL018: { meaning: 'An unknown option of a statement.', example: 'm.send({ to: 1, byte: 8 })' },
      MODEL019: {
        meaning: 'Too many statements: a loop of JavaScript was unrolled.',
        example: 'for (let i = 0; i < 1e6; i++) m.barrier()',
      },
      MODEL020: {
        meaning:
          'An argument is invalid when a rank reaches the statement; the message gives the rank and its variables.',
        example: 'm.send({ to: s => s.rank + 1, bytes: 8 }) on the last rank',
      },
      MODEL021: {
        meaning: 'A wait for a request that is not posted on every path to it.',
        example: 'm.wait(r); m.wait(r)',
      },
      MODEL022: {
        meaning: 'A request is posted again before a wait for it.',
        example: 'a persistent request that is started twice',
      },
      MODEL023: {
        meaning: 'Nothing waits for a receive or a collective before the program ends.',
        example: 'm.irecv({ from: 0 })',
      },
      MODEL024: {
        meaning: 'Messages carry more different values than supported.',
        example: 'carry: { k: s => s.k } of a counter without a bound',
      },
      MODEL025: {
        meaning: 'Peers depend on a counter without a bound, and there are too many ranks for all pairs.',
        example: 'to: s => s.k % s.size of 4096 ranks, where k is counter()',
      },
      MODEL026: {
        meaning: 'A receive asks for a value that no message carries.',
        example: "into: { carry: ['order'] } where no send has carry",
      },
      MODEL032: {
        meaning: 'Files are read or written on a machine without storage (a warning).',
        example: 'm.writeFile({ bytes: 1e9 })',
      },
      MODEL027: {
        meaning: 'Ranks of one collective name different roots.',
        example: 'm.bcast({ bytes: 8, root: s => s.rank })',
      },
      MODEL028: { meaning: 'An unknown part of a coupled model.', example: "m.part('oceans')" },
      MODEL029: { meaning: 'The build of a model throws.', example: 'build(m) { const g = gird2d(m.size); }' },
      MODEL030: {
        meaning: 'A computation moves bytes, but the machine has no memory bandwidth.',
        example: 'm.compute({ bytes: 1e9 })',
      },
      MODEL031: {
        meaning: 'Messages are not received before the program ends.',
        example: 'm.send({ to: 0, bytes: 8 }) without a receive',
      },
      MODEL035: {
        meaning: 'A computation with noise, of the statement or of the machine, on cores that ranks share.',
        example: 'm.compute({ seconds: 1, noise }) on 8 ranks of a node of 4 cores',
      },
      MODEL060: {
        meaning: 'The build of a model reads a random number or the time, so that each build gives another model.',
        example: 'build(m) { m.compute({ flops: Math.random() * 1e9 }); }',
      },
      MODEL033: {
        meaning:
          'Ranks call different collectives, or with different sizes, or a rank sends another number of bytes than its peer receives (a warning if the run ends in a deadlock).',
        example: 'm.when(s => s.rank === 0, () => m.allreduce({ bytes: 8 }), () => m.barrier())',
      },
      MODEL034: {
        meaning: 'A statement of an outer builder is in the block of an inner one.',
        example: 'm.threads({ workers: 2 }, (t) => m.send({ to: 1, bytes: 8 }))',
      },
    },
  },
  thread: {
    title: 'Models of thread programs',
    example: 'What provokes it',
    codes: {
      THR001: { meaning: 'The options of `threads` are invalid.', example: "threads({ name: 'x' })" },
      THR002: { meaning: 'An argument of a statement has the wrong type.', example: "t.loop('k', 'three', …)" },
      THR003: {
        meaning: 'A synchronisation object, task or future does not belong to the program, or has the wrong kind.',
        example: 't.lock(event)',
      },
      THR004: {
        meaning: 'A function of the state returns an invalid value, throws, reads an unknown name, or is not pure.',
        example: 't.compute({ flops: (s) => s.k }) outside a loop over k',
      },
      THR005: { meaning: 'The program has too many steps.', example: "t.loop('k', 1e9, …)" },
      THR006: {
        meaning: 'Constructs that cannot be combined.',
        example: 't.parallelFor({ schedule: "guided", … }) in a task',
      },
      THR007: { meaning: 'The builder is used after the program was built.', example: 'async build(t) { … }' },
      THR008: {
        meaning: 'More threads come to a barrier than it has parties.',
        example: 't.barriers("b", 2) used by three threads',
      },
      THR009: {
        meaning: 'A strand releases an object that is not held: it unlocks a mutex that is not locked.',
        example: 't.unlock(m) without t.lock(m)',
      },
      THR010: {
        meaning: 'An option of a thread program is invalid, or does not belong to its scheduler.',
        example: 'foretoken predict model.ts --scheduler central --victim nearest',
      },
      THR011: {
        meaning:
          'A command or an option does not apply to a thread model, or an option of thread models to another kind of input.',
        example: 'foretoken predict threads.ts --ranks 4',
      },
      THR012: {
        meaning: 'The machine has noise, which threads do not have (a warning).',
        example: 'foretoken predict threads.ts --machine file, with noise in the file',
      },
    },
  },
  machine: {
    title: 'Machines and placement',
    example: 'What provokes it',
    codes: {
      MACH001: { meaning: 'A machine file cannot be read, or is not a text file.', example: 'an empty file' },
      MACH002: { meaning: 'A machine file is not well-formed YAML or JSON.', example: 'link: { latency: 1us' },
      MACH003: {
        meaning: 'A machine file has anchors, aliases, tags or several documents, which are not supported.',
        example: 'link: &fast { latency: 1us, bandwidth: 1GB/s }',
      },
      MACH004: { meaning: 'A machine file is nested too deeply.', example: '[[[[[[[[ …' },
      MACH005: { meaning: 'An unknown key.', example: 'coresPerNodes: 4' },
      MACH006: { meaning: 'A part is missing.', example: 'a machine without link' },
      MACH007: { meaning: 'A value has the wrong type.', example: 'nodes: many' },
      MACH008: { meaning: 'A number or the length of a list is out of range.', example: 'nodes: 0' },
      MACH009: { meaning: 'An unknown word or an invalid name.', example: 'network: mesh' },
      MACH011: { meaning: 'Parts of a machine do not fit together.', example: 'a torus of 4 × 4 places for 17 nodes' },
      MACH012: { meaning: 'A machine has too many nodes or links.', example: 'two groups of 200000 nodes' },
      MACH013: { meaning: 'A key is given twice.', example: 'a second line "speed: 1Gf"' },
      MACH020: {
        meaning: 'Neither a file nor a built-in machine has this name.',
        example: '--machine simgrid-backbon',
      },
      MACH021: {
        meaning: 'There are more ranks than cores, without --oversubscribe.',
        example: '9 ranks on 2 nodes of 4 cores, without --oversubscribe',
      },
      MACH022: {
        meaning: 'Options of a machine contradict each other.',
        example: '--placement block --hostfile hosts.txt',
      },
      MACH023: { meaning: 'A placement is neither block, cyclic nor a file.', example: '--placement blok' },
      MACH024: {
        meaning: 'A list of nodes for ranks does not have one entry per rank.',
        example: 'placement: [0, 0, 1] for 4 ranks',
      },
      MACH025: {
        meaning: 'A list or function that places ranks names an unknown node.',
        example: "placement: (rank) => 'nodee' + rank",
      },
      MACH030: {
        meaning: 'An unknown parameter of a machine or platform.',
        example: "changeMachine(machine, 'link.latecny', 'x2')",
      },
      MACH031: {
        meaning: 'A change is not a factor, a percentage or a new value.',
        example: "changeMachine(machine, 'link.latency', '+2us')",
      },
      MACH032: {
        meaning: 'A change does not apply: no value to multiply, or one new value for several different ones.',
        example: "changeMachine(machine, 'memory', 'x2') of a machine without memory",
      },
      MACH026: { meaning: 'Unknown algorithms of collectives.', example: '--collectives binomal' },
      MACH033: {
        meaning: 'A machine has parts that the replay of a trace ignores (a warning).',
        example: 'foretoken predict app.ti --machine m.yaml, with noise in m.yaml',
      },
      MACH034: {
        meaning: 'A warning: a model is predicted without a machine, so one is assumed.',
        example: 'predict(model)',
      },
      MACH035: {
        meaning: 'A warning: a number without a unit in a machine file is hardly meant in SI units.',
        example: 'speed: 4',
      },
    },
  },
  platform: {
    title: 'Platforms, hostfiles, network models',
    example: 'What provokes it',
    codes: {
      PLAT001: { meaning: 'A platform file cannot be read, or is not a text file.', example: 'an empty file' },
      PLAT002: { meaning: 'The platform is not well-formed XML.', example: '<host id="a" speed="1Gf">' },
      PLAT003: { meaning: 'The document type declares markup or entities.', example: '<!DOCTYPE platform [ … ]>' },
      PLAT004: { meaning: 'Elements are nested too deeply.', example: 'a zone in a zone in a zone …' },
      PLAT005: { meaning: 'An element is unknown, not supported, or misplaced.', example: '<disk id="d"/>' },
      PLAT006: { meaning: 'An attribute is unknown, not supported, or missing.', example: '<host id="a"/>' },
      PLAT007: {
        meaning: 'A quantity is out of range or has the wrong unit.',
        example: '<host id="a" speed="1GBps"/>',
      },
      PLAT008: { meaning: 'A duplicate name or route.', example: 'two hosts "a"' },
      PLAT009: { meaning: 'A word or a version is not supported.', example: '<zone id="z" routing="Vivaldi">' },
      PLAT010: {
        meaning: 'There are more hosts or links than supported, or a radical is invalid.',
        example: 'radical="0-"',
      },
      PLAT011: {
        meaning: 'The parameters of a fat tree are invalid, or do not fit the number of hosts.',
        example: 'topo_parameters="2;4,4;1,2;1,2" of a cluster of four hosts',
      },
      PLAT012: {
        meaning: 'A route refers to an unknown host, router, zone or link.',
        example: '<route src="a" dst="nobody">',
      },
      PLAT013: {
        meaning: 'The zones do not form one platform: no hosts, two outermost zones, or a zone inside itself.',
        example: 'a platform without hosts',
      },
      PLAT020: {
        meaning: 'There is no route between two hosts that communicate.',
        example: 'two hosts without <route>',
      },
      PLAT021: { meaning: 'A hostfile names an unknown host.', example: 'nodee0' },
      PLAT030: { meaning: 'An unknown network model.', example: '--network-model simgrid' },
      PLAT040: {
        meaning: 'A hostfile cannot be read, is not a text file, or names no host.',
        example: 'an empty file',
      },
      PLAT041: { meaning: 'The number of slots in a hostfile is invalid.', example: 'node0:two' },
      PLAT042: {
        meaning: 'Note: a hostfile has fewer slots than there are ranks, so its lines are repeated.',
        example: 'node0:2 and three ranks',
      },
      PLAT043: { meaning: 'There are more ranks than hosts, and no hostfile.', example: 'nine ranks on eight hosts' },
      PLAT050: {
        meaning: "Warning: a setting in a platform's <config> is not used, by SimGrid's SMPI neither.",
        example: '<config><prop id="network/latency-factor" value="2"/></config>',
      },
      PLAT051: {
        meaning: "Note: a setting in a platform's <config> that changes SimGrid's times is not applied.",
        example: '<config><prop id="smpi/coll-selector" value="mvapich2"/></config>',
      },
    },
  },
  app: {
    title: 'Jobs',
    example: 'What provokes it',
    codes: {
      APP001: { meaning: 'An input cannot be read.', example: 'foretoken predict missing.ti --machine m.xml' },
      APP002: { meaning: 'A trace comes without a machine.', example: 'foretoken predict x.ti' },
      APP003: { meaning: 'An input exceeds the size limit.', example: 'a net.json of a gigabyte' },
      APP004: {
        meaning: 'An option does not apply to this kind of input: a machine with a net, an end time with a trace.',
        example: 'foretoken predict net.json --machine m.xml',
      },
      APP005: {
        meaning: 'The extension of the output names no format that a net can be written in.',
        example: 'foretoken convert net.json net.pdf',
      },
      APP006: { meaning: 'An output cannot be written.', example: 'foretoken convert net.json /nowhere/net.txt' },
      APP007: {
        meaning: 'An output would overwrite an input, or has no name.',
        example: 'foretoken convert net.json net.json',
      },
      APP008: {
        meaning: 'A limit for unfolding or for safe nets is given, but neither is requested.',
        example: 'foretoken convert net.json flat.csv --limit 1000',
      },
      APP009: {
        meaning: 'An input has a format that cannot be read here: a write-only format, a CPN Tools net, a machine.',
        example: 'foretoken convert net.cpn net.json',
      },
      APP010: {
        meaning: 'A file is not a result document of the expected kind, or is damaged.',
        example: 'foretoken rerun net.json',
      },
      APP011: {
        meaning: 'An input has changed since the result was written. The message gives both hashes.',
        example: 'foretoken rerun result.json',
      },
      APP012: {
        meaning: 'A result cannot be repeated: it was cut short, or its input was standard input.',
        example: 'foretoken predict - --machine m.yaml --json > r.json; foretoken rerun r.json',
      },
      APP030: {
        meaning: 'A state space is requested for a file whose extension is neither that of a net nor of a model.',
        example: 'foretoken explore trace.ti',
      },
      APP021: { meaning: 'The module of a model throws.', example: 'import { spmd } from "foretoken/modles"' },
      APP022: { meaning: 'A module exports no model.', example: 'foretoken predict tsconfig.ts' },
      APP023: {
        meaning: 'A module exports several models but has no default export.',
        example: 'export const a = spmd(…), b = spmd(…)',
      },
      APP024: {
        meaning: 'A precision is requested for a model without random parts: one run is exact.',
        example: 'foretoken predict exact.ts --precision 1%',
      },
      APP025: {
        meaning:
          'A number of replications, a precision or a confidence is out of range, or a confidence is given without replications.',
        example: 'foretoken predict model.ts --precision 200%',
      },
      APP026: {
        meaning: 'The net of a model has no module of this name.',
        example: 'foretoken convert jacobi.ts x.dot --module mesages',
      },
      APP027: {
        meaning: 'A model is not built in time (300 s, or FORETOKEN_BUILD_LIMIT).',
        example: 'build(m) { while (true) {} }',
      },
      APP034: {
        meaning: 'Both the unfolded and the safe net are requested.',
        example: 'foretoken convert net.json out.pnml --unfold --safe',
      },
      APP040: {
        meaning: 'A model ends its process or sends a signal to it.',
        example: 'build(m) { process.exit(0); }',
      },
      APP041: {
        meaning: 'The module of a model awaits a promise that never settles.',
        example: 'await new Promise(() => {});',
      },
      APP042: {
        meaning: 'A model throws outside its build: in a timer, or by an unhandled rejection.',
        example: 'setTimeout(() => { throw new Error(); });',
      },
      APP043: {
        meaning: 'A warning: a model leaves timers, servers or other work running; they are stopped.',
        example: 'build(m) { setInterval(poll, 1000); … }',
      },
      APP044: {
        meaning: 'FORETOKEN_BUILD_LIMIT is not a number of seconds.',
        example: 'FORETOKEN_BUILD_LIMIT=soon foretoken predict model.ts',
      },
      APP045: {
        meaning: 'The thread of a model ended without an answer.',
        example: "require('node:worker_threads').parentPort.close();",
      },
      APP046: {
        meaning:
          'A warning: the run of a net stops in a marking that is not one of the final markings that the net lists.',
        example: 'foretoken predict workflow.pnml, where a branch never reaches the last place',
      },
      APP047: {
        meaning:
          'A warning: a net file contains something that its standard does not define. The message says how it was read.',
        example: 'foretoken predict pipe.xml, whose transitions have a <rate>',
      },
      APP048: {
        meaning:
          'Repeating this result runs a module, which is a program: only with `--trust`, or after a yes on a terminal.',
        example: 'foretoken rerun downloaded.json',
      },
      APP049: {
        meaning: 'An output exists already, and `--no-clobber` keeps existing files.',
        example: 'foretoken predict x.ti --machine cluster.xml --trace old.json --no-clobber',
      },
      APP050: {
        meaning:
          'A warning: ties decide figures: names decide which of several simultaneous firings of a net happens, or messages of one instant what a wildcard receive takes.',
        example:
          'two immediate transitions without weights that take from one place; two ranks that send at once to `ANY`',
      },
      APP051: {
        meaning: 'The working directory was deleted.',
        example: 'mkdir x && cd x && rmdir ../x && foretoken predict /tmp/x.ti',
      },
      APP060: {
        meaning: 'A function does not have an option of this name.',
        example: "predict(model, { machine: 'net.yaml', rank: 4 })",
      },
      APP061: {
        meaning: 'An argument of a function has the wrong kind: not a model, a machine, an object with options.',
        example: "predict({}, { machine: 'net.yaml' })",
      },
    },
  },
  property: {
    title: 'Properties',
    example: 'What provokes it',
    codes: {
      PROP001: { meaning: 'A property has a syntax error.', example: 'AG(tokens(p) <= )' },
      PROP002: { meaning: 'A property names an unknown place.', example: 'AG tokens(bufer) <= 3' },
      PROP003: { meaning: 'A property names an unknown transition.', example: 'EF enabled(prodcue)' },
      PROP004: {
        meaning: 'A colour does not fit its place: wrong columns or an invalid value.',
        example: 'EF tokens(light[purple]) > 0',
      },
      PROP005: { meaning: 'A formula is nested too deeply.', example: '!!!!! … deadlock' },
      PROP006: {
        meaning: 'A number is not an integer, or too large for exact arithmetic.',
        example: 'AG tokens(p) <= 99999999999999999999',
      },
      PROP007: {
        meaning: 'There is nothing to verify: an empty property, an empty list, a file without properties.',
        example: "foretoken verify net.pnml --property ''",
      },
      PROP008: {
        meaning: 'The formula of final markings has path operators or contains deadlock.',
        example: "verify(net, ['deadlock-free'], { final: 'EF dead' })",
      },
      PROP009: {
        meaning: 'A value is not a property, or has an unknown kind or operator.',
        example: "verify(net, [{ kind: 'saef' }])",
      },
      PROP010: { meaning: 'Two properties have one name.', example: "[{ id: 'a', … }, { id: 'a', … }]" },
      PROP020: { meaning: 'A file of formulas cannot be read.', example: '--formulas missing.xml' },
      PROP021: { meaning: 'A file of formulas is not well-formed XML.', example: '<property-set><property>' },
      PROP022: {
        meaning: 'A file of formulas declares entities or other markup in its DOCTYPE, or is nested too deeply.',
        example: '<!DOCTYPE a [<!ENTITY b "…">]>',
      },
      PROP023: { meaning: 'An element of a file of formulas is unknown or misplaced.', example: '<exists-path><nxt>' },
      PROP030: {
        meaning: 'A sequence of steps does not fit the net: a step is not possible.',
        example: 'replay(net, steps)',
      },
      PROP031: {
        meaning: 'An option of a verification is out of range, or contradicts another.',
        example: 'foretoken verify net.pnml --order depth',
      },
    },
  },
  verifyProgram: {
    title: 'Verification of programs',
    example: 'What provokes it',
    codes: {
      VER001: { meaning: 'The send protocol is unknown.', example: 'foretoken verify trace.ti --sends buffered' },
      VER002: {
        meaning: 'A limit, a number of ranks or a number of messages is invalid.',
        example: 'verifyProgram(model, { maxSteps: 0 })',
      },
      VER003: {
        meaning: 'An option of a verification does not apply to the kind of input, or to a model without properties.',
        example: 'foretoken verify net.pnml --sends eager',
      },
      VER004: {
        meaning: 'The file given as a trace is a module, or a net in XML or JSON with another extension.',
        example: "verifyProgram('model.ts')",
      },
      VER005: {
        meaning: 'The scheduler of a verification is unknown.',
        example: 'foretoken verify threads.ts --scheduler fifo',
      },
    },
  },
  whatif: {
    title: 'What-if studies',
    example: 'What provokes it',
    codes: {
      WHAT001: { meaning: 'An axis is not of the form NAME=VALUES.', example: '--vary placement' },
      WHAT002: { meaning: 'An axis, or one of its values, is empty.', example: '--vary placement=block,,cyclic' },
      WHAT003: { meaning: 'A range is malformed.', example: '--vary ranks=1..64/2' },
      WHAT004: {
        meaning: 'A range never ends (its step is 0, its factor 1), or points away from its end.',
        example: '--vary ranks=1..64*1',
      },
      WHAT005: { meaning: 'The same axis is given twice.', example: '--vary ranks=1,2 --vary ranks=4' },
      WHAT006: { meaning: 'A grid has more scenarios than the limit.', example: 'three axes of 1000 values' },
      WHAT007: { meaning: 'This input does not have this axis.', example: '--vary placment=block,cyclic' },
      WHAT008: { meaning: 'An axis lists a value twice.', example: '--vary ranks=4,1..8*2' },
      WHAT009: { meaning: 'An axis does not accept this value.', example: '--vary placement=5' },
      WHAT011: {
        meaning: 'A search lacks its axis or its target, the axis is not varied, or its values cannot be ordered.',
        example: '--vary placement=block,cyclic --find ranks --target 60s',
      },
      WHAT012: {
        meaning: 'This input cannot be idealised like this.',
        example: 'foretoken whatif x.ti --machine cluster.yaml --scenario ideal-balance',
      },
      WHAT013: { meaning: 'A what-if study has nothing to vary.', example: 'foretoken whatif x.ti' },
      WHAT014: {
        meaning: 'Every scenario reads the input, but it can be read only once.',
        example: 'foretoken whatif - --vary placement=block,cyclic',
      },
      WHAT015: {
        meaning: 'A scenario ended without an answer, for example because its thread ran out of memory.',
        example: 'a trace that is too large for the memory of a thread',
      },
      WHAT016: {
        meaning: 'A number of workers or scenarios is out of range.',
        example: "whatif('x.ti', { vary: { ranks: [1, 2] }, workers: 0 })",
      },
      WHAT017: {
        meaning:
          'A worker thread cannot import the model of a study again, so the study runs in one thread. Reported if threads were requested.',
        example: 'a module that exports its model and calls whatif() itself, imported by a study',
      },
      WHAT018: {
        meaning:
          'A warning: the scenarios of a model with random parts were run once each, so the spread of the figures is unknown.',
        example: 'foretoken whatif farm.ts --ranks 16 --elasticity all',
      },
      WHAT019: {
        meaning:
          'A warning: an elasticity is unknown, because a run with 1 % more or less of the parameter has no run time.',
        example: 'foretoken whatif app.ti --machine cluster.yaml --elasticity all, for a program that deadlocks',
      },
      WHAT020: {
        meaning: 'The scaling is neither strong nor weak, or is given without an axis of ranks.',
        example: 'foretoken whatif jacobi.ts --vary model.n=1,2 --scaling weak',
      },
      WHAT021: {
        meaning: 'A note: numbers of ranks in a range on which the model does not run are skipped.',
        example: '--vary ranks=1..16 of a model with ranks: (n) => Number.isInteger(Math.sqrt(n))',
      },
    },
  },
  testing: {
    title: 'Tests of nets',
    example: 'What provokes it',
    codes: {
      TEST001: {
        meaning: 'The argument of a matcher or an arbitrary is neither a net nor a model of a program.',
        example: 'expect(new NetBuilder("n")).toBeSafe()',
      },
      TEST002: {
        meaning: 'An unknown option of a matcher or an arbitrary, or an invalid value.',
        example: 'expect(net).toBeSafe({ maxState: 1000 })',
      },
      TEST003: {
        meaning: 'A property is a number, not true or false, or it is not a formula.',
        example: "expect(net).toReach('deadlock-free')",
      },
      TEST004: { meaning: 'Soundness is tested without a final marking.', example: 'expect(net).toBeSound()' },
      TEST005: {
        meaning: 'Weights or a marking have an unknown place or a value that is not an integer.',
        example: 'expect(net).toConserve({ bufer: 1 })',
      },
      TEST006: {
        meaning: 'There are too few replications for a quantile at the requested confidence.',
        example: 'expect(net).toFinishWithin(10, { replications: 20 })',
      },
    },
  },
  output: {
    title: 'Written traces',
    example: 'What provokes it',
    codes: {
      OUT001: { meaning: 'The file of a Chrome trace cannot be written.', example: '--trace /nowhere/out.json' },
    },
  },
} as const;

type Areas = typeof CODE_AREAS;
/** A problem code, see docs/errors.md. */
export type Code = { [A in keyof Areas]: keyof Areas[A]['codes'] }[keyof Areas];
