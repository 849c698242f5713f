import { InputError, type Problem } from '../../base/problem.ts';
import { conjuncts, type Expression } from '../../net/expression.ts';
import type { Net } from '../../net/net.ts';
import type { UnfoldOptions } from '../../net/unfold/unfold.ts';
import { commandsOf } from './commands.ts';
import { type Language, numberIn, truthIn } from './formulas.ts';
import type { Commands, TimedCommand, Variable } from './guarded-commands.ts';

/** Largest value of an integer variable of PRISM. */
const MAX_INTEGER = 2 ** 31 - 1;

/**
 * Writes a net whose delays are exponential or made of phases as a continuous-time Markov chain in the language of PRISM, which Storm reads, too:
 * a variable for each place and phase of a race, a command for each race, and rewards for the mean tokens of each place and the throughput of each
 * transition. Nets with colours are unfolded.
 *
 * Only races and services can be written. Immediate transitions and holding firings have steps without time (LANG002);
 * {@link netToJani} writes these. Every variable needs a bound (LANG003).
 *
 * @throws InputError LANG001 to LANG004 with all parts that cannot be written; UNF… for nets that cannot be unfolded;
 * NET037 if the value is not a net
 */
export function netToPrism(net: Net, options: Pick<UnfoldOptions, 'limit'> = {}): string {
  const commands = commandsOf(net, options);
  assertWritable(commands);
  const { variables, timed, places, transitions } = commands;
  return [
    `// Net ${JSON.stringify(net.name)} as a continuous-time Markov chain; rates per second.`,
    '// Rewards: the mean number of tokens of each place, and the firings per second of each transition.',
    ...places
      .slice(0, 1)
      .flatMap(({ id }) => [
        `//   prism FILE -pf 'R{"${id}"}=? [ S ]'`,
        `//   storm --prism FILE --prop 'R{"${id}"}=? [ LRA ]'`,
      ]),
    'ctmc',
    '',
    'module net',
    ...variables.map(declaration),
    '',
    ...timed.flatMap(command),
    'endmodule',
    ...places.flatMap(({ id, what, tokens }) => rewards(id, what, [`true : ${number(tokens)};`])),
    ...transitions.flatMap(({ id, what, timed: own }) =>
      rewards(
        id,
        what,
        own.length === 0 ? ['true : 0;'] : own.map(({ guard, rate }) => `${truth(guard)} : ${number(rate)};`),
      ),
    ),
    '',
  ].join('\n');
}

/** PRISM refuses ranges of one value. */
const declaration = ({ id, what, initial, bound }: Variable): string =>
  `  ${id} : [0..${Math.max(1, bound)}] init ${initial}; // ${what}`;

function command({ what, guard, rate, updates }: TimedCommand): string[] {
  const changes = updates.map(({ id, value }) => `(${id}' = ${number(value)})`);
  return [
    `  // ${what}`,
    `  [] ${truth(guard)} -> ${number(rate)} : ${changes.length === 0 ? 'true' : changes.join(' & ')};`,
  ];
}

const rewards = (id: string, what: string, items: readonly string[]): string[] => [
  '',
  `rewards "${id}" // ${what}`,
  ...items.map((item) => `  ${item}`),
  'endrewards',
];

/** @throws InputError LANG002, LANG003 */
function assertWritable({ immediate, variables }: Commands): void {
  const problems: Problem[] = immediate.map(
    ({ what }): Problem => ({
      code: 'LANG002',
      message: 'takes no time, which a PRISM model of type ctmc cannot express. Write JANI instead (.jani)',
      place: { part: what },
    }),
  );
  for (const { what, bound } of variables)
    if (bound > MAX_INTEGER)
      problems.push({
        code: 'LANG003',
        message: 'has no known bound, but PRISM needs one: give the place a capacity, or write JANI instead (.jani)',
        place: { part: what },
      });
  if (problems.length > 0) throw new InputError(problems);
}

const SIGNS = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  eq: '=',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  and: '&',
  or: '|',
} as const;

/** Texts in parentheses, except for names, numbers and calls. */
const PRISM: Language<string> = {
  number: (value) => {
    const text = Number.isInteger(value) && Math.abs(value) > MAX_INTEGER ? value.toExponential() : String(value);
    return value < 0 ? `(${text})` : text;
  },
  truth: String,
  variable: (id) => id,
  unary: (op, a) => (op === 'neg' ? `(-${a})` : op === 'not' ? `(!${a})` : `${op}(${a})`),
  binary: (op, a, b) => (op === 'min' || op === 'max' ? `${op}(${a}, ${b})` : `(${a} ${SIGNS[op]} ${b})`),
  choice: (test, a, b) => `(${test} ? ${a} : ${b})`,
};

const number = (e: Expression): string => numberIn(PRISM, e);
const truth = (e: Expression): string =>
  e.op === 'and'
    ? conjuncts(e)
        .map((part) => truthIn(PRISM, part))
        .join(' & ')
    : truthIn(PRISM, e);
