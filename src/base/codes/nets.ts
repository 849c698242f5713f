/** Codes of nets: their forms, files and transformations. */
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
} as const;
