import { KNOWN_DISTRIBUTIONS } from './distribution-cases.ts';

/**
 * An error in the JSON of a net and the resulting problems. `shape`: the error is visible in the shape alone, so a JSON
 * Schema detects it, too.
 */
export interface JsonProblem {
  readonly title: string;
  /** Replacement lines by line number, from 1. */
  readonly lines: Readonly<Record<number, string>>;
  readonly shape: boolean;
  readonly problems: readonly string[];
}

/** A small valid net. */
const NET: readonly string[] = [
  '{',
  '  "format": "foretoken-net", "version": 1, "name": "small",',
  '  "colours": [',
  '    { "name": "Slot", "kind": "range", "low": 0, "high": 3 },',
  '    { "name": "Sort", "kind": "enum", "values": ["red", "green"] }, { "name": "Flag", "kind": "bool" }',
  '    , { "name": "Pair", "kind": "product", "parts": ["Slot", "Sort"] }, { "name": "Spot", "kind": "record", "fields": [{ "name": "x", "colour": "Slot" }, { "name": "at", "colour": "Pair" }] }',
  '  ],',
  '  "tables": [{ "name": "t", "kind": "int", "low": 0, "high": 9, "values": [1, 2, [3, 4]] }],',
  '  "places": [',
  '    { "name": "p", "fields": [{ "name": "s", "colour": "Slot" }, { "name": "c", "colour": "Sort" }, { "name": "f", "colour": "Flag" }],',
  '      "initial": [[0, "red", true], { "count": 2, "values": [1, "green", false] }] }',
  '    , { "name": "q", "fields": [{ "name": "spot", "colour": "Spot" }], "initial": [[1, 2, "red"]],',
  '        "service": { "kind": "priority", "servers": 1, "time": 1, "priority": "spot.x", "preemptive": true } }',
  '  ],',
  '  "transitions": [',
  '    { "name": "move",',
  '      "inputs": [{ "kind": "take", "place": "p", "pattern": { "s": "s", "c": "c", "f": "f" } }],',
  '      "guard": ["eq", "c", ["value", "Sort", "red"]],',
  '      "delay": ["at", "t", "s"],',
  '      "outputs": [{ "place": "p", "values": { "s": "s", "c": "c", "f": "f" } }] }',
  '    , { "name": "toss", "inputs": [{ "kind": "reset", "place": "q" }], "free": [{ "name": "any", "colour": "Slot" }],',
  '        "delay": { "dist": "exponential", "rate": 2 }, "timing": "race", "servers": "single",',
  '        "outputs": [], "label": { "name": "tossed", "exports": { "which": "any" } }, "modules": ["m"] }',
  '  ]',
  '}',
];

/** The net with some lines replaced. */
export function documentOf(lines: JsonProblem['lines'] = {}): string {
  return NET.map((line, k) => lines[k + 1] ?? line).join('\n');
}

/** Violations of every rule of the JSON form, one at a time, and of some rules of nets, with line numbers. */
export const JSON_PROBLEMS: readonly JsonProblem[] = [
  {
    title: 'NET104 a value of another type',
    lines: { 16: '{ "name": 5,' },
    shape: true,
    problems: ['net.json:16:11: NET104 transitions[0].name: expected a string, got a number'],
  },
  {
    title: 'NET104 null',
    lines: { 3: '"colours": null, "x": [', 7: '],' },
    shape: true,
    problems: [
      'net.json:3:12: NET104 colours: expected a list, got null',
      'net.json:3:18: NET105 x: unknown member. Known: format, version, name, colours, tables, places, transitions, processes, finalMarkings, untimed.',
    ],
  },
  {
    title: 'NET105 no distribution',
    lines: { 19: '"delay": { "at": "t" },' },
    shape: true,
    problems: [
      'net.json:19:12: NET105 transitions[0].delay.at: unknown member. Known: dist, rate, shape, branches, phases, low, high, mode, mean, deviation, scale, values, and 1 more.',
      'net.json:19:10: NET106 transitions[0].delay: missing member "dist"',
    ],
  },
  {
    title: 'NET104 another text where only infinity may stand',
    lines: { 8: '"tables": [{ "name": "t", "kind": "real", "values": [1, "NaN"] }],' },
    shape: true,
    problems: [
      'net.json:8:57: NET104 tables[0].values[1]: expected a number, "Infinity" or "-Infinity", got the string "NaN"',
    ],
  },
  {
    title: 'NET104 a run that is none',
    lines: { 8: '"tables": [{ "name": "t", "kind": "real", "values": [[1], [0, 1], [1, 2, 3]] }],' },
    shape: true,
    problems: [
      'net.json:8:54: NET104 tables[0].values[0]: expected a number, or a list [count >= 1, number]',
      'net.json:8:59: NET104 tables[0].values[1]: expected a number, or a list [count >= 1, number]',
      'net.json:8:67: NET104 tables[0].values[2]: expected a number, or a list [count >= 1, number]',
    ],
  },
  {
    title: 'NET104 a number for a value of an enumeration or truth',
    lines: { 11: '"initial": [[0, 1, 1], ["red", "red", true]] }' },
    shape: false,
    problems: [
      'net.json:11:13: NET104 colour set "Sort": expected one of its values, got 1',
      'net.json:11:13: NET104 colour set "Flag": expected a boolean, got 1',
      'net.json:11:24: NET104 colour set "Slot": expected a number, got "red"',
    ],
  },
  {
    title: 'NET105 an unknown member',
    lines: { 19: '"dealy": 1,' },
    shape: true,
    problems: [
      'net.json:19:1: NET105 transitions[0].dealy: unknown member. Did you mean "delay"? Known: name, kind, process, inputs, free, guard, priority, weight, delay, timing, servers, memory, and 5 more.',
    ],
  },
  {
    title: 'NET105 a member of another kind',
    lines: { 4: '{ "name": "Slot", "kind": "integer", "low": 0 },' },
    shape: true,
    problems: ['net.json:4:1: NET105 colours[0]: unknown member "low" of kind "integer".'],
  },
  {
    title: 'NET105 a member with a name of JavaScript',
    lines: { 19: '"__proto__": { "polluted": 1 }, "constructor": 1,' },
    shape: true,
    problems: [
      'net.json:19:1: NET105 transitions[0].__proto__: unknown member. Known: name, kind, process, inputs, free, guard, priority, weight, delay, timing, servers, memory, and 5 more.',
      'net.json:19:33: NET105 transitions[0].constructor: unknown member. Known: name, kind, process, inputs, free, guard, priority, weight, delay, timing, servers, memory, and 5 more.',
    ],
  },
  {
    title: 'NET106 a missing member',
    lines: { 20: '"x": 1 }' },
    shape: true,
    problems: [
      'net.json:20:1: NET105 transitions[0].x: unknown member. Known: name, kind, process, inputs, free, guard, priority, weight, delay, timing, servers, memory, and 5 more.',
      'net.json:16:5: NET106 transitions[0]: missing member "outputs"',
    ],
  },
  {
    title: 'NET106 a missing member of its kind',
    lines: { 4: '{ "name": "Slot", "kind": "range", "low": 0 },' },
    shape: true,
    problems: ['net.json:4:1: NET106 colours[0]: missing member "high"'],
  },
  {
    title: 'NET107 a member twice',
    lines: { 19: '"delay": 1, "delay": 2,' },
    shape: false,
    problems: ['net.json:19:13: NET107 transitions[0].delay: duplicate member'],
  },
  {
    title: 'NET107 a field twice',
    lines: { 17: '"inputs": [{ "kind": "take", "place": "p", "pattern": { "s": "s", "c": "c", "f": "f", "s": 1 } }],' },
    shape: false,
    problems: ['net.json:17:87: NET107 transitions[0].inputs[0].pattern.s: duplicate member'],
  },
  {
    title: 'NET108 a fraction in a table of integers',
    lines: { 8: '"tables": [{ "values": [1, 0.5], "name": "t", "kind": "int", "low": 0, "high": 9 }],' },
    shape: true,
    problems: ['net.json:8:28: NET108 tables[0]: expected a 32-bit integer, got 0.5'],
  },
  {
    title: 'NET108 more than 32 bits',
    lines: { 8: '"tables": [{ "name": "t", "kind": "int", "low": 0, "high": 9, "values": [2147483648] }],' },
    shape: true,
    problems: ['net.json:8:74: NET108 tables[0]: expected a 32-bit integer, got 2147483648'],
  },
  {
    title: 'NET108 larger than a double',
    lines: { 19: '"delay": 1e999,' },
    shape: true,
    problems: ['net.json:19:10: NET108 transitions[0].delay: number exceeds the range of a double'],
  },
  {
    title: 'NET108 a bound that is infinite',
    lines: { 4: '{ "name": "Slot", "kind": "range", "low": 0, "high": "Infinity" },' },
    shape: true,
    problems: ['net.json:4:54: NET108 colours[0].high: expected an integer below 2^53, got Infinity'],
  },
  {
    title: 'NET109 an unknown operator',
    lines: { 19: '"delay": ["att", "t", "s"],' },
    shape: true,
    problems: [
      'net.json:19:11: NET109 transitions[0].delay[0]: unknown value "att". Did you mean "at"? Known: neg, not, floor, add, sub, mul, div, mod, min, max, eq, ne, and 11 more.',
    ],
  },
  {
    title: 'NET109 too few operands',
    lines: { 19: '"delay": ["add", 1],' },
    shape: true,
    problems: ['net.json:19:10: NET109 transitions[0].delay: "add" has 1 operand, expected 2'],
  },
  {
    title: 'NET109 too many operands',
    lines: { 19: '"delay": ["at", "t", "s", 1],' },
    shape: true,
    problems: ['net.json:19:10: NET109 transitions[0].delay: "at" has 3 operands, expected 2'],
  },
  {
    title: 'NET109 no operator',
    lines: { 19: '"delay": [],' },
    shape: true,
    problems: ['net.json:19:10: NET109 transitions[0].delay: missing operator'],
  },
  {
    title: 'NET104 an operator that is not a text',
    lines: { 19: '"delay": [1, 2],' },
    shape: true,
    problems: ['net.json:19:11: NET104 transitions[0].delay[0]: expected an operator name, got a number'],
  },
  {
    title: 'NET110 an unknown kind',
    lines: { 17: '"inputs": [{ "kind": "taek", "place": "p" }],' },
    shape: true,
    problems: [
      'net.json:17:22: NET110 transitions[0].inputs[0].kind: unknown value "taek". Did you mean "take"? Known: take, read, inhibit, reset.',
    ],
  },
  {
    title: 'NET110 an unknown value of an enumeration',
    lines: { 18: '"guard": ["eq", "c", ["value", "Sort", "rde"]],', 11: '"initial": [[0, "gren", true]] }' },
    shape: false,
    problems: [
      'net.json:11:13: NET110 colour set "Sort" has no value "gren". Did you mean "green"? Known: red, green.',
      'net.json:18:40: NET110 colour set "Sort" has no value "rde". Did you mean "red"? Known: red, green.',
    ],
  },
  {
    title: 'NET104 no expression',
    lines: { 19: '"delay": true,' },
    shape: true,
    problems: [
      'net.json:19:10: NET104 transitions[0].delay: expected an expression (a number, a variable name, or a list of an operator and its operands), got a boolean',
    ],
  },
  {
    title: 'NET104 a distribution that is a text',
    lines: { 22: '"delay": { "dist": 5 }, "timing": "race",' },
    shape: true,
    problems: ['net.json:22:20: NET104 transitions[1].delay.dist: expected a string, got a number'],
  },
  {
    title: 'NET104 samples that are no numbers',
    lines: { 22: '"delay": { "dist": "empirical", "samples": [1, null, [0, 2]] }, "timing": "race",' },
    shape: true,
    problems: [
      'net.json:22:48: NET104 transitions[1].delay.samples[1]: expected a number, got null',
      'net.json:22:54: NET104 transitions[1].delay.samples[2]: expected a number, or a list [count >= 1, number]',
    ],
  },
  {
    title: 'NET104 an export that is not a text',
    lines: { 23: '"outputs": [], "label": { "name": "tossed", "exports": { "which": 1 } } }' },
    shape: true,
    problems: ['net.json:23:67: NET104 transitions[1].label.exports.which: expected a string, got a number'],
  },
  {
    title: 'NET104 a text for a number in a token of composite colour',
    lines: { 12: ', { "name": "q", "fields": [{ "name": "spot", "colour": "Spot" }], "initial": [[1, "red", "red"]],' },
    shape: false,
    problems: ['net.json:12:80: NET104 colour set "Slot": expected a number, got "red"'],
  },
  {
    title: 'NET104 parts that are no list',
    lines: {
      6: ', { "name": "Pair", "kind": "product", "parts": "Slot" }, { "name": "Spot", "kind": "record", "fields": [] }',
    },
    shape: true,
    problems: ['net.json:6:49: NET104 colours[3].parts: expected a list, got a string'],
  },
  {
    title: 'NET105 a parameter of another distribution',
    lines: { 22: '"delay": { "dist": "exponential", "rate": 1, "shape": 2 }, "timing": "race",' },
    shape: true,
    problems: [
      'net.json:22:10: NET105 transitions[1].delay: unknown member "shape" of kind "exponential". Known: rate.',
    ],
  },
  {
    title: 'NET105 an unknown parameter',
    lines: { 22: '"delay": { "dist": "exponential", "rte": 1 }, "timing": "race",' },
    shape: true,
    problems: [
      'net.json:22:35: NET105 transitions[1].delay.rte: unknown member. Did you mean "rate"? Known: dist, rate, shape, branches, phases, low, high, mode, mean, deviation, scale, values, and 1 more.',
      'net.json:22:10: NET106 transitions[1].delay: missing member "rate"',
    ],
  },
  {
    title: 'NET105 a member of another service',
    lines: { 13: '"service": { "kind": "is", "servers": 1, "time": 1 } }' },
    shape: true,
    problems: ['net.json:13:12: NET105 places[1].service: unknown member "servers" of kind "is". Known: time.'],
  },
  {
    title: 'NET106 a parameter that is missing',
    lines: { 22: '"delay": { "dist": "weibull", "shape": 2 }, "timing": "race",' },
    shape: true,
    problems: ['net.json:22:10: NET106 transitions[1].delay: missing member "scale"'],
  },
  {
    title: 'NET106 a branch without rate',
    lines: { 22: '"delay": { "dist": "hyper-exponential", "branches": [{ "probability": 1 }] }, "timing": "race",' },
    shape: true,
    problems: ['net.json:22:54: NET106 transitions[1].delay.branches[0]: missing member "rate"'],
  },
  {
    title: 'NET106 a service without time',
    lines: { 13: '"service": { "kind": "fcfs", "servers": 1 } }' },
    shape: true,
    problems: ['net.json:13:12: NET106 places[1].service: missing member "time"'],
  },
  {
    title: 'NET106 a field of a record without colour',
    lines: {
      6: ', { "name": "Pair", "kind": "unit" }, { "name": "Spot", "kind": "record", "fields": [{ "name": "x" }] }',
    },
    shape: true,
    problems: ['net.json:6:86: NET106 colours[4].fields[0]: missing member "colour"'],
  },
  {
    title: 'NET108 half a server',
    lines: { 13: '"service": { "kind": "ps", "servers": 0.5, "time": 1 } }' },
    shape: true,
    problems: ['net.json:13:39: NET108 places[1].service.servers: expected an integer below 2^53, got 0.5'],
  },
  {
    title: 'NET108 half a capacity',
    lines: { 13: '"capacity": 0.5 }' },
    shape: true,
    problems: ['net.json:13:13: NET108 places[1].capacity: expected an integer below 2^53, got 0.5'],
  },
  {
    title: 'NET108 a priority that is a fraction',
    lines: { 22: '"priority": 1.5,' },
    shape: true,
    problems: ['net.json:22:13: NET108 transitions[1].priority: expected an integer below 2^53, got 1.5'],
  },
  {
    title: 'NET109 a function of the host language',
    lines: { 19: '"delay": ["call", "wear", "s"],' },
    shape: true,
    problems: [
      'net.json:19:11: NET109 transitions[0].delay[0]: unknown value "call". Known: neg, not, floor, add, sub, mul, div, mod, min, max, eq, ne, and 11 more.',
    ],
  },
  {
    title: 'NET110 an unknown distribution',
    lines: { 22: '"delay": { "dist": "exponental", "rate": 1 }, "timing": "race",' },
    shape: true,
    problems: [
      `net.json:22:20: NET110 transitions[1].delay.dist: unknown value "exponental". Did you mean "exponential"? Known: ${KNOWN_DISTRIBUTIONS}.`,
    ],
  },
  {
    title: 'NET110 an unknown service',
    lines: { 13: '"service": { "kind": "fifo", "servers": 1, "time": 1 } }' },
    shape: true,
    problems: [
      'net.json:13:22: NET110 places[1].service.kind: unknown value "fifo". Known: max-min, fcfs, lcfs-pr, ps, is, priority.',
    ],
  },
  {
    title: 'NET110 an unknown order',
    lines: { 12: ', { "name": "q", "fields": [{ "name": "spot", "colour": "Spot" }], "order": "lifo",' },
    shape: true,
    problems: [
      'net.json:12:77: NET110 places[1].order: unknown value "lifo". Did you mean "fifo"? Known: bag, fifo, priority.',
    ],
  },
  {
    title: 'NET110 an unknown timing',
    lines: { 22: '"delay": 1, "timing": "racing", "servers": "one",' },
    shape: true,
    problems: [
      'net.json:22:23: NET110 transitions[1].timing: unknown value "racing". Known: holding, race.',
      'net.json:22:44: NET110 transitions[1].servers: unknown value "one". Known: single, infinite.',
    ],
  },
  {
    title: 'NET012 an unknown place',
    lines: { 20: '"outputs": [{ "place": "z" }] }' },
    shape: false,
    problems: ['net.json:20:13: NET012 transition move, arc to z: unknown place "z". Known: p, q.'],
  },
  {
    title: 'NET021 an unbound variable',
    lines: { 19: '"delay": ["at", "t", "slot"],' },
    shape: false,
    problems: ['net.json:19:10: NET021 transition move, delay: variable "slot" is not bound. Known: s, c, f.'],
  },
  {
    title: 'NET022 colours that do not fit',
    lines: { 18: '"guard": "s",' },
    shape: false,
    problems: ['net.json:18:10: NET022 transition move, guard: expected a boolean, but "s" is an integer'],
  },
  {
    title: 'NET007 an entry outside its bounds',
    lines: { 8: '"tables": [{ "name": "t", "kind": "int", "low": 0, "high": 1, "values": [5] }],' },
    shape: false,
    problems: ['net.json:8:12: NET007 table t: entry 5 is outside its bounds 0 … 1'],
  },
  {
    title: 'NET011 an unknown enumeration',
    lines: { 18: '"guard": ["eq", "c", ["value", "Sorts", "red"]],' },
    shape: false,
    problems: [
      'net.json:18:10: NET011 transition move, guard: unknown enumeration "Sorts". Did you mean "Sort"? Known: Sort.',
    ],
  },
  {
    title: 'NET014 a token outside its colour set',
    lines: { 11: '"initial": [[7, "red", true], [0, "red"], [0, "red", true, 5]] }' },
    shape: false,
    problems: [
      'net.json:10:5: NET014 place p: initial token: s = 7 is not in Slot (0 … 3)',
      'net.json:10:5: NET014 place p: initial token has 2 values: expected 3, one for each column',
      'net.json:10:5: NET014 place p: initial token has 4 values: expected 3, one for each column',
    ],
  },
  {
    title: 'NET008 and NET017 a field with a reserved name',
    lines: {
      17: '"inputs": [{ "kind": "take", "place": "p", "pattern": { "s": "s", "c": "c", "f": "f", "__proto__": 1 } }],',
    },
    shape: false,
    problems: ['net.json:17:12: NET017 transition move, arc from p: unknown column "__proto__". Known: s, c, f.'],
  },
  {
    title: 'NET030 processes',
    lines: { 24: '], "processes": { "colour": "Slot", "ended": "p" }' },
    shape: false,
    problems: ['net.json:24:17: NET030 processes: place "p" must have one field of colour "Slot"'],
  },
  {
    title: 'NET009 colour sets that contain each other',
    lines: {
      6: ', { "name": "Pair", "kind": "product", "parts": ["Slot", "Spot"] }, { "name": "Spot", "kind": "record", "fields": [{ "name": "at", "colour": "Pair" }] }',
    },
    shape: false,
    problems: ['net.json:6:3: NET009 colour set Pair: contains itself: Pair → Spot → Pair'],
  },
  {
    title: 'NET014 a token of composite colour',
    lines: { 12: ', { "name": "q", "fields": [{ "name": "spot", "colour": "Spot" }], "initial": [[1, 2]],' },
    shape: false,
    problems: ['net.json:12:3: NET014 place q: initial token has 2 values: expected 3, one for each column'],
  },
  {
    title: 'NET021 a priority of no column',
    lines: {
      13: '"service": { "kind": "priority", "servers": 1, "time": 1, "priority": "spot", "preemptive": true } }',
    },
    shape: false,
    problems: [
      'net.json:13:12: NET021 place q, service, priority: variable "spot" is not bound. Did you mean "spot.x"? Known: spot.x, spot.at.1, spot.at.2.',
    ],
  },
  {
    title: 'NET027 a free variable that an arc binds',
    lines: { 18: '"free": [{ "name": "s", "colour": "Slot" }],' },
    shape: false,
    problems: [
      'net.json:18:10: NET027 transition move: free variable "s": the name is already bound by an arc or another free variable',
    ],
  },
  {
    title: 'NET028 a weight of nothing',
    lines: { 22: '"weight": 0, "delay": 1, "timing": "race",' },
    shape: false,
    problems: ['net.json:22:11: NET028 transition toss: a weight of 0: expected a positive finite number'],
  },
  {
    title: 'NET029 a rate of nothing',
    lines: { 22: '"delay": { "dist": "exponential", "rate": 0 }, "timing": "race",' },
    shape: false,
    problems: ['net.json:22:10: NET029 transition toss, delay: rate is 0: expected a positive finite number'],
  },
  {
    title: 'NET031 no priority',
    lines: { 13: '"order": "priority" }', 12: ', { "name": "q", "fields": [{ "name": "spot", "colour": "Spot" }],' },
    shape: false,
    problems: [
      'net.json:12:3: NET031 place q: its order is "priority": expected an expression "priority" of the columns',
    ],
  },
  {
    title: 'NET032 no room for the initial marking',
    lines: { 13: '"capacity": 0 }' },
    shape: false,
    problems: ['net.json:12:7: NET032 place q: the initial marking has 1 tokens: expected at most the capacity of 0'],
  },
  {
    title: 'NET035 a race without delay',
    lines: {
      22: '"timing": "race",',
      21: ', { "name": "toss", "inputs": [{ "kind": "take", "place": "q", "pattern": { "spot.x": "any" } }],',
    },
    shape: false,
    problems: ['net.json:21:3: NET035 transition toss: has the timing "race" and no delay: expected a delay'],
  },
  {
    title: 'NET036 modules out of order',
    lines: { 13: '"modules": ["n", "m"] }' },
    shape: false,
    problems: [
      'net.json:12:7: NET036 place q: module "m" comes after "n": expected distinct modules in order of their names',
    ],
  },
];
