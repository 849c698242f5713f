import { describe, expect, test } from 'vitest';
import { type NetJsonLimits, netFromJson } from '../../src/net/json.ts';
import { problemsOf } from './problems.ts';

/** A net of a few lines; `lines` replaces some of them by number, counted from 1. */
const NET = [
  '{',
  '  "format": "foretoken-net", "version": 1, "name": "small",',
  '  "colours": [',
  '    { "name": "Slot", "kind": "range", "low": 0, "high": 3 },',
  '    { "name": "Sort", "kind": "enum", "values": ["red", "green"] }, { "name": "Flag", "kind": "bool" }',
  '  ],',
  '  "tables": [{ "name": "t", "kind": "int", "low": 0, "high": 9, "values": [1, 2, [3, 4]] }],',
  '  "places": [',
  '    { "name": "p", "fields": [{ "name": "s", "colour": "Slot" }, { "name": "c", "colour": "Sort" }, { "name": "f", "colour": "Flag" }],',
  '      "initial": [[0, "red", true], { "count": 2, "values": [1, "green", false] }] }',
  '  ],',
  '  "transitions": [',
  '    { "name": "move",',
  '      "inputs": [{ "kind": "take", "place": "p", "pattern": { "s": "s", "c": "c", "f": "f" } }],',
  '      "guard": ["eq", "c", ["value", "Sort", "red"]],',
  '      "delay": ["at", "t", "s"],',
  '      "outputs": [{ "place": "p", "values": { "s": "s", "c": "c", "f": "f" } }] }',
  '  ]',
  '}',
];

function read(lines: Readonly<Record<number, string>>, limits: NetJsonLimits = {}): string[] {
  return problemsOf(() => netFromJson(NET.map((l, k) => lines[k + 1] ?? l).join('\n'), 'net.json', limits));
}

const text = (s: string): string[] => problemsOf(() => netFromJson(s, 'net.json'));

test('the net that is spoiled below is good', () => {
  expect(read({})).toEqual([]);
});

describe('NET101: no JSON, with line and column', () => {
  const cases: [string, string, string][] = [
    ['nothing', '', '1:1: NET101 no JSON: a value is expected, not the end of the text'],
    ['white space', ' \n\t ', '2:3: NET101 no JSON: a value is expected, not the end of the text'],
    ['something else', 'net small', '1:1: NET101 no JSON: a value is expected, not "n"'],
    ['a binary file', '\u0000\u0001', '1:1: NET101 no JSON: a value is expected, not "\\u0000"'],
    [
      'a name without quotes',
      '{\n  name: 1 }',
      '2:3: NET101 no JSON: the name of a member in double quotes is expected, not "n"',
    ],
    ['no colon', '{ "x" 1 }', '1:7: NET101 no JSON: ":" is expected, not "1"'],
    ['a comma too many', '{ "x": [1,\n 2,\n ] }', '3:2: NET101 no JSON: a value is expected, not "]"'],
    ['a comma too few', '{ "x": [1 2] }', '1:11: NET101 no JSON: "," or "]" is expected, not "2"'],
    [
      'a comma at the end',
      '{ "x": 1, }',
      '1:11: NET101 no JSON: the name of a member in double quotes is expected, not "}"',
    ],
    ['an open object', '{ "x": 1', '1:9: NET101 no JSON: "," or "}" is expected, not the end of the text'],
    [
      'an open text',
      '{ "x": "abc',
      '1:12: NET101 no JSON: the closing quote of a text is expected, not the end of the text',
    ],
    [
      'a text over two lines',
      '{ "x": "ab\nc" }',
      '1:11: NET101 no JSON: the closing quote of a text is expected, not "\\n"',
    ],
    [
      'an unknown escape',
      '{ "x": "\\q" }',
      '1:8: NET101 no JSON: a text with an escape that JSON does not know: "\\\\q"',
    ],
    [
      'half an escape',
      '{ "x": "\\u12"}',
      '1:8: NET101 no JSON: a text with an escape that JSON does not know: "\\\\u12"',
    ],
    [
      'an escape at the end',
      '{ "x": "\\',
      '1:10: NET101 no JSON: the closing quote of a text is expected, not the end of the text',
    ],
    ['a lone minus', '{ "x": - }', '1:9: NET101 no JSON: a digit is expected, not " "'],
    ['a leading zero', '{ "x": 012 }', '1:9: NET101 no JSON: no digit after a leading zero is expected, not "1"'],
    ['a fraction without digits', '{ "x": 1. }', '1:10: NET101 no JSON: a digit is expected, not " "'],
    ['an exponent without digits', '{ "x": 1e+ }', '1:11: NET101 no JSON: a digit is expected, not " "'],
    ['a number that begins with a dot', '{ "x": .5 }', '1:8: NET101 no JSON: a value is expected, not "."'],
    ['NaN', '{ "x": NaN }', '1:8: NET101 no JSON: a value is expected, not "N"'],
    ['half a word', '{ "x": tru }', '1:8: NET101 no JSON: a value is expected, not "t"'],
    ['a comment', '{ // net\n }', '1:3: NET101 no JSON: the name of a member in double quotes is expected, not "/"'],
    ['more after the end', '{}\n{}', '2:1: NET101 no JSON: the end of the text is expected, not "{"'],
  ];
  test.each(cases)('%s', (_, source, expected) => {
    expect(text(source).at(-1)).toBe(`net.json:${expected}`);
  });

  test('without a file the place is line and column', () => {
    expect(problemsOf(() => netFromJson('[1,'))).toEqual([expect.stringMatching(/^1:1: NET102 /)]);
    expect(problemsOf(() => netFromJson('{\n 1'))).toEqual([expect.stringMatching(/^2:2: NET101 /)]);
  });

  test('a byte order mark is passed over', () => {
    expect(text(`\ufeff${NET.join('\r\n')}`)).toEqual([]);
    expect(text('\ufeffx')).toEqual(['net.json:1:1: NET101 no JSON: a value is expected, not "x"']);
  });
});

describe('NET102: something else', () => {
  const cases: [string, string, string][] = [
    ['a list', '[]', '1:1: NET102 a list is no net: an object is expected'],
    [
      'another object',
      '{ "nodes": [] }',
      '1:1: NET102 no net: the member "format" with the text "foretoken-net" is expected',
    ],
    [
      'a prediction',
      '{ "format": "foretoken", "kind": "prediction" }',
      '1:13: NET102 the format is "foretoken": "foretoken-net" is expected',
    ],
    [
      'a later version',
      '{ "format": "foretoken-net", "version": 2, "arcs": [] }',
      '1:1: NET102 the version is 2: version 1 is expected',
    ],
  ];
  test.each(cases)('%s', (_, source, expected) => {
    expect(text(source)).toEqual([`net.json:${expected}`]);
  });
});

describe('limits', () => {
  test('NET100 characters', () => {
    expect(read({}, { maxCharacters: 100 })).toEqual([
      `net.json: NET100 the text has ${NET.join('\n').length} characters: at most 100 are read`,
    ]);
  });

  test('NET100 entries, however short they are written', () => {
    const huge = { 7: '"tables": [{ "name": "t", "kind": "real", "values": [1, [9e15, 0]] }],' };
    expect(read(huge)).toEqual([
      expect.stringMatching(/^net\.json:7:\d+: NET100 tables\[0\].values\[1\]\[1\]: the tables of this net have more/),
    ]);
    expect(read({}, { maxEntries: 4 })).toHaveLength(1);
    expect(read({}, { maxEntries: 5 })).toEqual([]);
  });

  test('NET100 tokens', () => {
    const many = { 10: '"initial": [{ "count": 9e15, "values": [0, "red", true] }] }' };
    expect(read(many)).toEqual([
      expect.stringMatching(
        /^net\.json:10:\d+: NET100 places\[0\].initial\[0\]: the initial marking has more than 4194304/,
      ),
    ]);
    expect(read({}, { maxTokens: 3 })).toEqual([]);
    expect(read({}, { maxTokens: 2 })).toHaveLength(1);
  });

  test('NET103 nesting, of expressions and of anything else, without running out of stack', () => {
    for (const depth of [201, 100_000]) {
      const deep = `${'["neg", '.repeat(depth)}1${']'.repeat(depth)}`;
      expect(read({ 16: `"delay": ${deep},` })).toEqual([
        expect.stringMatching(
          /^net\.json:16:1610: NET103 transitions\[0\]\.delay(\[1\]){9}…: an expression is nested deeper than 200$/,
        ),
      ]);
      for (const [open, close] of [
        ['[', ']'],
        ['{"x":', '}'],
      ] as const)
        expect(text(`{"x":${open.repeat(depth)}0${close.repeat(depth)}}`).at(-1)).toMatch(
          /^net\.json:1:\d+: NET103 .*: nested deeper than 200$/,
        );
    }
    expect(read({ 16: `"delay": ${'["neg", '.repeat(199)}1${']'.repeat(199)},` })).toEqual([]);
  });

  test('after a hundred problems reading stops', () => {
    const bad = Array.from({ length: 1000 }, () => '"x"').join();
    expect(read({ 7: `"tables": [{ "name": "t", "kind": "real", "values": [${bad}] }],` })).toHaveLength(100);
  });
});

describe('structure, by path', () => {
  const cases: [string, Record<number, string>, string[]][] = [
    [
      'NET104 a value of another type',
      { 13: '{ "name": 5,' },
      ['13:11: NET104 transitions[0].name: a text is expected, not a number'],
    ],
    [
      'NET104 null',
      { 3: '"colours": null, "x": [', 6: '],' },
      [
        '3:12: NET104 colours: a list is expected, not null',
        '3:18: NET105 x: unknown member. Known: format, version, name, colours, tables, places, transitions, processes.',
      ],
    ],
    [
      'NET104 no expression',
      { 16: '"delay": { "at": "t" },' },
      [
        '16:10: NET104 transitions[0].delay: an expression (a number, the name of a variable, or a list of an operator and its operands) is expected, not an object',
      ],
    ],
    [
      'NET104 another text where only infinity may stand',
      { 7: '"tables": [{ "name": "t", "kind": "real", "values": [1, "NaN"] }],' },
      ['7:57: NET104 tables[0].values[1]: a number is expected, or "Infinity" or "-Infinity", not the text "NaN"'],
    ],
    [
      'NET104 a run that is none',
      { 7: '"tables": [{ "name": "t", "kind": "real", "values": [[1], [0, 1], [1, 2, 3]] }],' },
      ['7:54', '7:59', '7:67'].map(
        (at, k) =>
          `${at}: NET104 tables[0].values[${k}]: a number is expected, or a list of two: how often (from 1 on), and which number`,
      ),
    ],
    [
      'NET104 a number for a value of an enumeration or truth',
      { 10: '"initial": [[0, 1, 1], ["red", "red", true]] }' },
      [
        '10:13: NET104 colour set "Sort": one of its texts is expected, not 1',
        '10:13: NET104 colour set "Flag": a truth value is expected, not 1',
        '10:24: NET104 colour set "Slot": a number is expected, not "red"',
      ],
    ],
    [
      'NET105 an unknown member',
      { 16: '"dealy": 1,' },
      [
        '16:1: NET105 transitions[0].dealy: unknown member. Did you mean "delay"? Known: name, kind, process, inputs, guard, delay, outputs.',
      ],
    ],
    [
      'NET105 a member of another kind',
      { 4: '{ "name": "Slot", "kind": "integer", "low": 0 },' },
      ['4:1: NET105 colours[0]: unknown member "low" of kind "integer".'],
    ],
    [
      'NET105 a member with a name of JavaScript',
      { 16: '"__proto__": { "polluted": 1 }, "constructor": 1,' },
      [
        expect.stringContaining('16:1: NET105 transitions[0].__proto__: unknown member.') as unknown as string,
        expect.stringContaining('16:33: NET105 transitions[0].constructor: unknown member.') as unknown as string,
      ],
    ],
    [
      'NET106 a missing member',
      { 17: '"x": 1 }' },
      [
        '17:1: NET105 transitions[0].x: unknown member. Known: name, kind, process, inputs, guard, delay, outputs.',
        '13:5: NET106 transitions[0]: the member "outputs" is missing',
      ],
    ],
    [
      'NET106 a missing member of its kind',
      { 4: '{ "name": "Slot", "kind": "range", "low": 0 },' },
      ['4:1: NET106 colours[0]: the member "high" is missing'],
    ],
    [
      'NET107 a member twice',
      { 16: '"delay": 1, "delay": 2,' },
      ['16:13: NET107 transitions[0].delay: this member is given twice'],
    ],
    [
      'NET107 a field twice',
      { 14: '"inputs": [{ "kind": "take", "place": "p", "pattern": { "s": "s", "c": "c", "f": "f", "s": 1 } }],' },
      ['14:87: NET107 transitions[0].inputs[0].pattern.s: this member is given twice'],
    ],
    [
      'NET108 a fraction in a table of whole numbers',
      { 7: '"tables": [{ "values": [1, 0.5], "name": "t", "kind": "int", "low": 0, "high": 9 }],' },
      ['7:28: NET108 tables[0]: a whole number of 32 bits is expected, not 0.5'],
    ],
    [
      'NET108 more than 32 bits',
      { 7: '"tables": [{ "name": "t", "kind": "int", "low": 0, "high": 9, "values": [2147483648] }],' },
      ['7:74: NET108 tables[0]: a whole number of 32 bits is expected, not 2147483648'],
    ],
    [
      'NET108 larger than a double',
      { 16: '"delay": 1e999,' },
      ['16:10: NET108 transitions[0].delay: this number is larger than a double can be'],
    ],
    [
      'NET108 a bound that is infinite',
      { 4: '{ "name": "Slot", "kind": "range", "low": 0, "high": "Infinity" },' },
      ['4:54: NET108 colours[0].high: a whole number of at most 2^53 is expected, not Infinity'],
    ],
    [
      'NET109 an unknown operator',
      { 16: '"delay": ["att", "t", "s"],' },
      [
        expect.stringMatching(
          /^16:11: NET109 transitions\[0\]\.delay\[0\]: "att" is not known here\. Did you mean "at"\? Known: neg, not, /,
        ) as unknown as string,
      ],
    ],
    [
      'NET109 too few operands',
      { 16: '"delay": ["add", 1],' },
      ['16:10: NET109 transitions[0].delay: "add" has 1 operand, not 2'],
    ],
    [
      'NET109 too many operands',
      { 16: '"delay": ["at", "t", "s", 1],' },
      ['16:10: NET109 transitions[0].delay: "at" has 3 operands, not 2'],
    ],
    ['NET109 no operator', { 16: '"delay": [],' }, ['16:10: NET109 transitions[0].delay: an operator is missing']],
    [
      'NET104 an operator that is no text',
      { 16: '"delay": [1, 2],' },
      ['16:11: NET104 transitions[0].delay[0]: the name of an operator is expected, not a number'],
    ],
    [
      'NET110 an unknown kind',
      { 14: '"inputs": [{ "kind": "taek", "place": "p" }],' },
      [
        '14:22: NET110 transitions[0].inputs[0].kind: "taek" is not known here. Did you mean "take"? Known: take, read, inhibit.',
      ],
    ],
    [
      'NET110 an unknown value of an enumeration',
      { 15: '"guard": ["eq", "c", ["value", "Sort", "rde"]],', 10: '"initial": [[0, "gren", true]] }' },
      [
        '10:13: NET110 colour set "Sort" has no value "gren". Did you mean "green"? Known: red, green.',
        '15:40: NET110 colour set "Sort" has no value "rde". Did you mean "red"? Known: red, green.',
      ],
    ],
  ];
  test.each(cases)('%s', (_, lines, expected) => {
    expect(read(lines).map((p) => p.replace(/^net\.json:/, ''))).toEqual(expected);
  });

  test('nothing is polluted', () => {
    read({ 16: '"__proto__": { "polluted": 1 },', 14: '"inputs": [{ "__proto__": { "polluted": 1 } }],' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('what the net means is validated, with the line where it stands', () => {
  const cases: [string, Record<number, string>, string[]][] = [
    [
      'NET012 an unknown place',
      { 17: '"outputs": [{ "place": "q" }] }' },
      [expect.stringContaining('17:13: NET012 transition move, arc to q: unknown place "q".') as unknown as string],
    ],
    [
      'NET021 an unbound variable',
      { 16: '"delay": ["at", "t", "slot"],' },
      [
        expect.stringContaining(
          '16:10: NET021 transition move, delay: variable "slot" is bound by no',
        ) as unknown as string,
      ],
    ],
    [
      'NET022 colours that do not fit',
      { 15: '"guard": "s",' },
      ['15:10: NET022 transition move: the guard must be a truth value, not int'],
    ],
    [
      'NET007 an entry outside its bounds',
      { 7: '"tables": [{ "name": "t", "kind": "int", "low": 0, "high": 1, "values": [5] }],' },
      ['7:12: NET007 table t: entry 5 lies outside its bounds 0 … 1'],
    ],
    [
      'NET011 an unknown enumeration',
      { 15: '"guard": ["eq", "c", ["value", "Sorts", "red"]],' },
      ['15:10: NET011 transition move, guard: unknown enumeration "Sorts". Did you mean "Sort"? Known: Sort.'],
    ],
    [
      'NET014 a token outside its colour set',
      { 10: '"initial": [[7, "red", true], [0, "red"], [0, "red", true, 5]] }' },
      [
        '9:5: NET014 place p: initial token: s = 7 is not in Slot (0 … 3)',
        '9:5: NET014 place p: initial token has 2 values for 3 fields',
        '9:5: NET014 place p: initial token has 4 values for 3 fields',
      ],
    ],
    [
      'NET008 and NET017 a field with a reserved name',
      {
        14: '"inputs": [{ "kind": "take", "place": "p", "pattern": { "s": "s", "c": "c", "f": "f", "__proto__": 1 } }],',
      },
      [
        expect.stringContaining(
          '14:12: NET017 transition move, arc from p: unknown field "__proto__".',
        ) as unknown as string,
      ],
    ],
    [
      'NET030 processes',
      { 18: '], "processes": { "colour": "Slot", "ended": "p" }' },
      ['18:17: NET030 processes: place "p" must have one field of colour "Slot"'],
    ],
  ];
  test.each(cases)('%s', (_, lines, expected) => {
    expect(read(lines).map((p) => p.replace(/^net\.json:/, ''))).toEqual(expected);
  });

  test('all at once', () => {
    expect(read({ 15: '"guard": "s",', 16: '"delay": ["at", "u", "s"],', 17: '"outputs": [] }' })).toHaveLength(2);
  });
});
