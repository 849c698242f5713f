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
    meaning: 'A name is given twice where it must tell things apart.',
    example: 'NET002 place stack: column "spot.x" is given twice',
  },
  {
    code: 'NET006',
    meaning: 'A colour set has no values, or bounds that are no whole numbers, or a value twice.',
    example: 'NET006 colour set None: has no values: at least one is expected',
  },
  {
    code: 'NET007',
    meaning: 'The numbers of a table are not what its kind demands.',
    example: 'NET007 table t: entry 9 lies outside its bounds 0 … 7',
  },
  {
    code: 'NET008',
    meaning: 'A name is one that every JavaScript object has.',
    example: 'NET008 place p: field "constructor": this name is reserved, take another',
  },
  {
    code: 'NET009',
    meaning: 'A product or record cannot be taken apart: it contains itself, is too deep, or has too many columns.',
    example: 'NET009 colour set Tree: contains itself: Tree → Twig → Leaf → Tree',
  },
  {
    code: 'NET010',
    meaning: 'A field has a dot in its name, which separates the path of a column.',
    example: 'NET010 place p: field "a.b": a name without "." is expected, which separates a column\'s path',
  },
  {
    code: 'NET011',
    meaning: 'A colour set is not known.',
    example:
      'NET011 place buffer: unknown colour set "Slots". Did you mean "Slot"? Known: Slot, Flag, Sort, Pair, Spot.',
  },
  {
    code: 'NET012',
    meaning: 'A place is not known.',
    example:
      'NET012 transition move, arc to bufer: unknown place "bufer". Did you mean "buffer"? Known: buffer, ended, wire, stack, desk.',
  },
  {
    code: 'NET013',
    meaning: 'The key of a place names what is no column, or a column twice, or is given for a bag.',
    example: 'NET013 place buffer: unknown column "slto" in its key. Did you mean "slot"? Known: slot, sort.',
  },
  {
    code: 'NET014',
    meaning:
      'An initial token does not have one value of its colour set for every column, or its count is no number of tokens.',
    example: 'NET014 place ended: initial token: slot = 4 is not in Slot (0 … 3)',
  },
  {
    code: 'NET015',
    meaning: 'A link of a max-min service is out of range, or a route crosses a link that is not there.',
    example: 'NET015 place wire, service: link "up" has capacity 0: a positive number is expected',
  },
  {
    code: 'NET016',
    meaning: 'A table is not known, or of a kind that is not looked up in this way.',
    example:
      'NET016 transition move, delay: unknown table "time". Did you mean "times"? Known: steps, times, factor, routes.',
  },
  {
    code: 'NET017',
    meaning: 'An arc names what is no column of its place, or an arc that brings tokens leaves a column out.',
    example: 'NET017 transition move, arc from buffer: unknown column "slots". Did you mean "slot"? Known: slot, sort.',
  },
  {
    code: 'NET018',
    meaning: 'The count of an arc is no whole number from 1 on, or is given for a reset.',
    example: 'NET018 transition move, arc from buffer: a count of 0: a whole number from 1 on is expected',
  },
  {
    code: 'NET019',
    meaning: 'A word such as a kind, an order or an operator is none of those that are known.',
    example: 'NET019 place ended: order "lifo" is not known. Did you mean "fifo"? Known: bag, fifo, priority.',
  },
  {
    code: 'NET020',
    meaning:
      'A transition takes no token and does not wait as a race either: it would fire again at once, until something else disables it.',
    example:
      'NET020 transition move: takes no token: one must be taken (and may be put back), unless it waits as a race',
  },
  {
    code: 'NET021',
    meaning: 'A variable is bound neither by an arc that takes or reads nor as a free one.',
    example:
      'NET021 transition move, arc to ended, slot: variable "slat" is bound by nothing. Did you mean "slot"? Known: slot, sort.',
  },
  {
    code: 'NET022',
    meaning: 'The value of an expression is of another kind than is expected there.',
    example: 'NET022 transition move, guard: a truth value is expected, but "slot" is a whole number',
  },
  {
    code: 'NET023',
    meaning: 'A constant is not a number.',
    example: 'NET023 transition move, delay: a constant is not a number',
  },
  {
    code: 'NET024',
    meaning: 'A constant lies outside its enumeration.',
    example: 'NET024 transition move, guard: 2 is no value of enumeration "Sort" (0 … 1)',
  },
  {
    code: 'NET025',
    meaning: 'A function of the host language is not known, or is none.',
    example: 'NET025 transition move, delay: unknown function "waer". Did you mean "wear"? Known: wear.',
  },
  {
    code: 'NET026',
    meaning: 'An expression is nested too deep, or has too many parts.',
    example: 'NET026 transition move, delay: the expression is nested deeper than 1000',
  },
  {
    code: 'NET027',
    meaning: 'A free variable has no finite set of single values that can be tried, or is bound otherwise too.',
    example:
      'NET027 transition toss: free variable "huge": colour set "Huge" has 1000000000 values, at most 1048576 are expected',
  },
  {
    code: 'NET028',
    meaning: 'A weight is not positive and finite.',
    example: 'NET028 transition toss: a weight of 0: a positive finite number is expected',
  },
  {
    code: 'NET029',
    meaning: 'A parameter of a distribution is out of its range.',
    example: 'NET029 transition toss, delay: rate is 0: a positive finite number is expected',
  },
  {
    code: 'NET030',
    meaning:
      'The processes are not numbered by a range of moderate size, or do not end in a place of that field alone.',
    example: 'NET030 processes: colour set "Flag" is no range',
  },
  {
    code: 'NET031',
    meaning: 'A place has the order "priority" without a priority, or the other way round.',
    example: 'NET031 place ended: has a priority, but its order is "bag": "priority" is expected',
  },
  {
    code: 'NET032',
    meaning: 'A capacity is no whole number from 0 on, or has no room for the initial marking.',
    example: 'NET032 place stack: the initial marking has 2: at most its capacity of 1 is expected',
  },
  {
    code: 'NET033',
    meaning: 'The number of servers of a service is no whole number from 1 on.',
    example: 'NET033 place desk, service: 0 servers: a whole number from 1 on is expected',
  },
  {
    code: 'NET034',
    meaning: 'The priority of a transition is no whole number.',
    example: 'NET034 transition toss: a priority of 0.5: a whole number below 2^53 is expected',
  },
  {
    code: 'NET035',
    meaning: 'A race has no delay, or clocks are given for what is no race.',
    example: 'NET035 transition toss: has the timing "race" and no delay: a delay is expected',
  },
  {
    code: 'NET036',
    meaning: 'The names of modules are not in order, or one is named twice.',
    example:
      'NET036 place stack: module "left" comes after "right": modules are expected in the order of their names, each once',
  },
  {
    code: 'NET037',
    meaning:
      'A part of a net is missing, not known, or of another type than is expected: plain JavaScript lets it through.',
    example: 'NET037 place stack: capacity: "4" stands where a number is expected',
  },
  {
    code: 'NET038',
    meaning: 'A final marking lists a place twice, or a count that is not a whole number from 0 on.',
    example: 'NET038 final marking 1: lists place "buffer" twice',
  },
];

/** Codes raised when the JSON of a net is read or written. */
export const NET_JSON_CODES: readonly NetCode[] = [
  {
    code: 'NET100',
    meaning: 'The text or what it asks for is larger than the limits.',
    example: 'net.json:11:13: NET100 places[0].initial[0]: the initial marking has more than 4194304 tokens',
  },
  {
    code: 'NET101',
    meaning: 'The text is no JSON.',
    example: 'net.json:1:11: NET101 no JSON: "," or "]" is expected, not "2"',
  },
  {
    code: 'NET102',
    meaning: 'The text is of another format or version.',
    example: 'net.json:1:1: NET102 the version is 2: version 1 is expected',
  },
  {
    code: 'NET103',
    meaning: 'An expression, or what stands where nothing should, is nested too deep.',
    example: 'NET103 transition work: an expression is nested deeper than 200',
  },
  {
    code: 'NET104',
    meaning: 'A value is of another type than is expected.',
    example: 'net.json:16:11: NET104 transitions[0].name: a text is expected, not a number',
  },
  {
    code: 'NET105',
    meaning: 'A member is not known there.',
    example: 'net.json:4:1: NET105 colours[0]: unknown member "low" of kind "integer".',
  },
  {
    code: 'NET106',
    meaning: 'A member is missing.',
    example: 'net.json:4:1: NET106 colours[0]: the member "high" is missing',
  },
  {
    code: 'NET107',
    meaning: 'A member is given twice.',
    example: 'net.json:19:13: NET107 transitions[0].delay: this member is given twice',
  },
  {
    code: 'NET108',
    meaning: 'A number does not fit: it is not whole, or beyond 32 bits, 2^53 or a double.',
    example: 'net.json:8:28: NET108 tables[0]: a whole number of 32 bits is expected, not 0.5',
  },
  {
    code: 'NET109',
    meaning: 'An operator is not known, or has another number of operands.',
    example: 'net.json:19:10: NET109 transitions[0].delay: "add" has 1 operand, not 2',
  },
  {
    code: 'NET110',
    meaning: 'A text is none of those that are expected.',
    example: 'net.json:11:13: NET110 colour set "Sort" has no value "gren". Did you mean "green"? Known: red, green.',
  },
  {
    code: 'NET111',
    meaning: 'A net has a function of the host language, which cannot be written.',
    example:
      'NET111 transition sweep: function "wear" of the host language cannot be written to a file: a table is expected in its place',
  },
];
