/** An error code of a net or its JSON form, with its meaning and an example message. */
export interface NetCode {
  readonly code: string;
  readonly meaning: string;
  readonly example: string;
}

/** Codes raised by validation. The other codes below 100 belong to the builder and to merging. */
export const NET_CODES: readonly NetCode[] = [
  {
    code: 'NET001',
    meaning: 'A name is empty.',
    example: 'NET001 place stack: the name of its owner must not be empty',
  },
  {
    code: 'NET002',
    meaning: 'A name that must be unique is given twice.',
    example: 'NET002 place stack: duplicate column "spot.x"',
  },
  {
    code: 'NET006',
    meaning: 'A colour set has no values, bounds that are not integers, or a duplicate value.',
    example: 'NET006 colour set None: has no values: expected at least one',
  },
  {
    code: 'NET007',
    meaning: 'The numbers of a table do not match its kind.',
    example: 'NET007 table t: entry 9 is outside its bounds 0 … 7',
  },
  {
    code: 'NET008',
    meaning: 'A name is a property of every JavaScript object.',
    example: 'NET008 place p: field "constructor": this name is reserved, choose another',
  },
  {
    code: 'NET009',
    meaning:
      'A product or record cannot be split into columns: it contains itself, is too deep, or has too many columns.',
    example: 'NET009 colour set Tree: contains itself: Tree → Twig → Leaf → Tree',
  },
  {
    code: 'NET010',
    meaning: 'A field name contains a dot, the separator in column paths.',
    example: 'NET010 place p: field "a.b": expected a name without ".", the separator in column paths',
  },
  {
    code: 'NET011',
    meaning: 'Unknown colour set.',
    example:
      'NET011 place buffer: unknown colour set "Slots". Did you mean "Slot"? Known: Slot, Flag, Sort, Pair, Spot.',
  },
  {
    code: 'NET012',
    meaning: 'Unknown place.',
    example:
      'NET012 transition move, arc to bufer: unknown place "bufer". Did you mean "buffer"? Known: buffer, ended, wire, stack, desk.',
  },
  {
    code: 'NET013',
    meaning: 'The key of a place has an unknown or duplicate column, or is given for a bag.',
    example: 'NET013 place buffer: unknown column "slto" in its key. Did you mean "slot"? Known: slot, sort.',
  },
  {
    code: 'NET014',
    meaning: 'An initial token does not have a valid value for each column, or its count is invalid.',
    example: 'NET014 place ended: initial token: slot = 4 is not in Slot (0 … 3)',
  },
  {
    code: 'NET015',
    meaning: 'A link of a max-min service is out of range, or a route uses an unknown link.',
    example: 'NET015 place wire, service: link "up" has capacity 0: expected a positive number',
  },
  {
    code: 'NET016',
    meaning: 'Unknown table, or a table of the wrong kind for this lookup.',
    example:
      'NET016 transition move, delay: unknown table "time". Did you mean "times"? Known: steps, times, factor, routes.',
  },
  {
    code: 'NET017',
    meaning: 'An arc uses an unknown column of its place, or an output arc omits a column.',
    example: 'NET017 transition move, arc from buffer: unknown column "slots". Did you mean "slot"? Known: slot, sort.',
  },
  {
    code: 'NET018',
    meaning: 'The count of an arc is not an integer >= 1, or is given for a reset.',
    example: 'NET018 transition move, arc from buffer: a count of 0: expected an integer >= 1',
  },
  {
    code: 'NET019',
    meaning: 'Unknown keyword, for instance a kind, an order or an operator.',
    example: 'NET019 place ended: unknown order "lifo". Did you mean "fifo"? Known: bag, fifo, priority.',
  },
  {
    code: 'NET020',
    meaning: 'A transition takes no token and is not a race: it would fire indefinitely at one instant.',
    example:
      'NET020 transition move: takes no token: expected an arc that takes one (it may be put back), or the timing "race"',
  },
  {
    code: 'NET021',
    meaning: 'A variable is neither bound by a take or read arc nor free.',
    example:
      'NET021 transition move, arc to ended, slot: variable "slat" is not bound. Did you mean "slot"? Known: slot, sort.',
  },
  {
    code: 'NET022',
    meaning: 'An expression has the wrong type.',
    example: 'NET022 transition move, guard: expected a boolean, but "slot" is an integer',
  },
  {
    code: 'NET023',
    meaning: 'A constant is not a number.',
    example: 'NET023 transition move, delay: a constant is not a number',
  },
  {
    code: 'NET024',
    meaning: 'A constant is outside its enumeration.',
    example: 'NET024 transition move, guard: 2 is not a value of enumeration "Sort" (0 … 1)',
  },
  {
    code: 'NET025',
    meaning: 'A host-language function is unknown, or not a function.',
    example: 'NET025 transition move, delay: unknown function "waer". Did you mean "wear"? Known: wear.',
  },
  {
    code: 'NET026',
    meaning: 'An expression is nested too deeply, or has too many parts.',
    example: 'NET026 transition move, delay: the expression is nested deeper than 1000',
  },
  {
    code: 'NET027',
    meaning: 'A free variable has no finite set of scalar values to enumerate, or is already bound.',
    example:
      'NET027 transition toss: free variable "huge": colour set "Huge" has 1000000000 values, expected at most 1048576',
  },
  {
    code: 'NET028',
    meaning: 'A weight is not positive and finite.',
    example: 'NET028 transition toss: a weight of 0: expected a positive finite number',
  },
  {
    code: 'NET029',
    meaning: 'A parameter of a distribution is out of range.',
    example: 'NET029 transition toss, delay: rate is 0: expected a positive finite number',
  },
  {
    code: 'NET030',
    meaning:
      'The processes are not numbered by a range of moderate size, or do not end in a place with just that field.',
    example: 'NET030 processes: colour set "Flag" is not a range',
  },
  {
    code: 'NET031',
    meaning: 'A place has the order "priority" without a priority, or a priority without that order.',
    example: 'NET031 place ended: has a priority, but its order is "bag": expected "priority"',
  },
  {
    code: 'NET032',
    meaning: 'A capacity is not an integer >= 0, or is smaller than the initial marking.',
    example: 'NET032 place stack: the initial marking has 2 tokens: expected at most the capacity of 1',
  },
  {
    code: 'NET033',
    meaning: 'The number of servers of a service is not an integer >= 1.',
    example: 'NET033 place desk, service: 0 servers: expected an integer >= 1',
  },
  {
    code: 'NET034',
    meaning: 'The priority of a transition is not an integer.',
    example: 'NET034 transition toss: a priority of 0.5: expected an integer below 2^53',
  },
  {
    code: 'NET035',
    meaning: 'A race has no delay, or servers are given for a transition that is not a race.',
    example: 'NET035 transition toss: has the timing "race" and no delay: expected a delay',
  },
  {
    code: 'NET036',
    meaning: 'The module names are not in order, or contain a duplicate.',
    example: 'NET036 place stack: module "left" comes after "right": expected distinct modules in order of their names',
  },
  {
    code: 'NET037',
    meaning: 'A part of a net is missing, unknown, or of the wrong type, which plain JavaScript does not detect.',
    example: 'NET037 place stack: capacity: expected a number, got "4"',
  },
  {
    code: 'NET038',
    meaning: 'A final marking lists a place twice, or a count that is not an integer >= 0.',
    example: 'NET038 final marking 1: duplicate place "buffer"',
  },
];

/** Codes raised when the JSON of a net is read or written. */
export const NET_JSON_CODES: readonly NetCode[] = [
  {
    code: 'NET100',
    meaning: 'The text or its content exceeds the limits.',
    example: 'net.json:11:13: NET100 places[0].initial[0]: the initial marking has more than 4194304 tokens',
  },
  {
    code: 'NET101',
    meaning: 'The text is not valid JSON.',
    example: 'net.json:1:11: NET101 invalid JSON: expected "," or "]", got "2"',
  },
  {
    code: 'NET102',
    meaning: 'The text has another format or version.',
    example: 'net.json:1:1: NET102 expected version 1, got 2',
  },
  {
    code: 'NET103',
    meaning: 'An expression, or a skipped value, is nested too deeply.',
    example: 'NET103 transition work: an expression is nested deeper than 200',
  },
  {
    code: 'NET104',
    meaning: 'A value has the wrong type.',
    example: 'net.json:16:11: NET104 transitions[0].name: expected a string, got a number',
  },
  {
    code: 'NET105',
    meaning: 'Unknown member.',
    example: 'net.json:4:1: NET105 colours[0]: unknown member "low" of kind "integer".',
  },
  {
    code: 'NET106',
    meaning: 'Missing member.',
    example: 'net.json:4:1: NET106 colours[0]: missing member "high"',
  },
  {
    code: 'NET107',
    meaning: 'Duplicate member.',
    example: 'net.json:19:13: NET107 transitions[0].delay: duplicate member',
  },
  {
    code: 'NET108',
    meaning: 'A number is not an integer, or exceeds 32 bits, 2^53 or a double.',
    example: 'net.json:8:28: NET108 tables[0]: expected a 32-bit integer, got 0.5',
  },
  {
    code: 'NET109',
    meaning: 'An unknown operator, or the wrong number of operands.',
    example: 'net.json:19:10: NET109 transitions[0].delay: "add" has 1 operand, expected 2',
  },
  {
    code: 'NET110',
    meaning: 'A string is not one of the expected values.',
    example: 'net.json:11:13: NET110 colour set "Sort" has no value "gren". Did you mean "green"? Known: red, green.',
  },
  {
    code: 'NET111',
    meaning: 'A net has a host-language function, which cannot be written.',
    example: 'NET111 transition sweep: host-language function "wear" cannot be written to a file: use a table instead',
  },
];
