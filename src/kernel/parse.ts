import { KnownFunctions } from './known-functions.ts';
import { END, NUMBER, Scanner, SIGN, WORD } from './scan.ts';
import type {
  Case,
  Declarator,
  Expr,
  FunctionDeclaration,
  Parameter,
  Program,
  Reach,
  Scalar,
  Statement,
  Target,
  Type,
} from './syntax.ts';

/** Binding powers of infix operators, as in JavaScript. */
const POWER: Readonly<Record<string, number>> = {
  '||': 3,
  '&&': 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '===': 8,
  '!==': 8,
  '<': 9,
  '>': 9,
  '<=': 9,
  '>=': 9,
  '<<': 10,
  '>>': 10,
  '>>>': 10,
  '+': 11,
  '-': 11,
  '*': 12,
  '/': 12,
  '%': 12,
};
const ASSIGNMENTS: ReadonlySet<string> = new Set(['=', '+=', '-=', '*=', '|=', '&=', '^=', '<<=', '>>=']);
const TYPES: ReadonlySet<string> = new Set(['int', 'num', 'pair', 'ints', 'nums', 'bytes', 'pairs']);
const NAMED: Readonly<Record<string, number>> = {
  Infinity: Number.POSITIVE_INFINITY,
  NaN: Number.NaN,
  true: 1,
  false: 0,
};

/**
 * Parses a source in the kernel language. O(length).
 *
 * @throws Error for invalid sources; these are generated, so it indicates a bug in a code generator
 */
export function parse(text: string): Program {
  const s = new Scanner(text);
  const functions: FunctionDeclaration[] = [];
  const given: Parameter[] = [];
  const top: Statement[] = [];
  const calls = new Map<string, number>();
  const count = (reach: Reach): void => {
    for (const called of reach.calls) calls.set(called, (calls.get(called) ?? 0) + 1);
  };
  while (s.kind !== END) {
    if (s.accept('declare')) {
      const nogrow = s.accept('nogrow');
      if (s.is('function')) functions.push(functionDeclaration(s, { nogrow }));
      else {
        s.expect('const');
        const name = s.word();
        given.push({ name, type: annotation(s)! });
        s.expect(';');
      }
    } else if (s.accept('export')) functions.push(functionDeclaration(s, { exported: true, cold: s.accept('cold') }));
    else if (s.accept('cold')) functions.push(functionDeclaration(s, { cold: true }));
    else if (s.accept('noreturn')) functions.push(functionDeclaration(s, { cold: true, noreturn: true }));
    else if (s.is('function')) functions.push(functionDeclaration(s));
    else {
      const reach = reachFrom(s);
      top.push(statement(s));
      count(reach());
    }
  }
  // Cold functions inline nothing, so their calls do not count.
  for (const f of functions) if (!f.cold) count(f.reach);
  return { functions, given, top, calls, grown: new Set(s.grown) };
}

function annotation(s: Scanner): Type | undefined {
  if (!s.accept(':')) return undefined;
  const type = s.word();
  if (!TYPES.has(type)) s.fail('a type');
  return type as Type;
}

/** Starts a section of the source; the returned function gives its calls and growing arrays up to the current token. */
function reachFrom(s: Scanner): () => Reach {
  const [calls, grows] = [s.called.length, s.grown.length];
  return () => ({ calls: s.called.slice(calls), grows: s.grown.slice(grows) });
}

type Marks = Partial<Record<'exported' | 'cold' | 'noreturn' | 'nogrow', boolean>>;

/** Functions of the last sources: most functions of a net's kernel are also in that of another net. */
const known = new KnownFunctions();

function functionDeclaration(s: Scanner, marks: Marks = {}): FunctionDeclaration {
  if (!s.is('function')) s.fail('"function"');
  const { exported = false, cold = false, noreturn = false, nogrow = false } = marks;
  const candidate = known.candidate(s.text, s.end, `${exported} ${cold} ${noreturn} ${nogrow}`);
  if (candidate?.found !== undefined) {
    s.grown.push(...candidate.found.reach.grows);
    s.skipTo(candidate.end);
    return candidate.found;
  }
  const parsed = newFunction(s, { exported, cold, noreturn, nogrow });
  if (candidate !== undefined && candidate.end === parsed.end) known.add(candidate.key, parsed.declaration);
  return parsed.declaration;
}

/** Parses a function; `end` is the end of its last token. */
function newFunction(s: Scanner, marks: Required<Marks>): { declaration: FunctionDeclaration; end: number } {
  s.next();
  const name = s.word();
  const parameters: Parameter[] = [];
  s.expect('(');
  while (!s.is(')')) {
    const parameter = s.word();
    parameters.push({ name: parameter, type: annotation(s) ?? 'int' });
    if (!s.accept(',')) break;
  }
  s.expect(')');
  const result = annotation(s) as Scalar | undefined;
  const common = { name, parameters, result, ...marks };
  const reach = reachFrom(s);
  if (s.is(';')) {
    const { end } = s;
    s.next();
    return { declaration: { ...common, body: undefined, size: 0, reach: reach() }, end };
  }
  const before = s.count;
  const body = statements(s);
  const { end } = s;
  s.next();
  return { declaration: { ...common, body, size: s.count - before, reach: reach() }, end };
}

function block(s: Scanner): Statement[] {
  const body = statements(s);
  s.next();
  return body;
}

/** Statements of a block up to its closing brace. */
function statements(s: Scanner): Statement[] {
  s.expect('{');
  const body: Statement[] = [];
  while (!s.is('}')) if (!s.accept(';')) body.push(statement(s));
  return body;
}

function statement(s: Scanner): Statement {
  if (s.kind === SIGN) {
    if (s.is('{')) return { k: 'block', body: block(s) };
    if (s.accept(';')) return { k: 'block', body: [] };
  } else if (s.kind === WORD)
    switch (s.token) {
      case 'const':
      case 'let': {
        const declared = declaration(s);
        s.expect(';');
        return declared;
      }
      case 'if': {
        s.next();
        const test = condition(s);
        const body = statement(s);
        return { k: 'if', test, body, otherwise: s.accept('else') ? statement(s) : undefined };
      }
      case 'for':
        return loop(s);
      case 'while': {
        s.next();
        const reach = reachFrom(s);
        const test = condition(s);
        const body = statement(s);
        return { k: 'while', test, body, reach: reach() };
      }
      case 'do': {
        s.next();
        const reach = reachFrom(s);
        const body = statement(s);
        s.expect('while');
        const test = condition(s);
        s.expect(';');
        return { k: 'do', test, body, reach: reach() };
      }
      case 'switch':
        return choice(s);
      case 'break':
      case 'continue': {
        const k = s.token as 'break' | 'continue';
        s.next();
        s.expect(';');
        return { k };
      }
      case 'return': {
        s.next();
        const value = s.is(';') ? undefined : expression(s);
        s.expect(';');
        return { k: 'return', value };
      }
      default:
    }
  const value = expression(s);
  s.expect(';');
  return { k: 'expr', value };
}

function condition(s: Scanner): Expr {
  s.expect('(');
  const test = expression(s);
  s.expect(')');
  return test;
}

function declaration(s: Scanner): Statement {
  const constant = s.is('const');
  s.next();
  const list: Declarator[] = [];
  do {
    const name = s.word();
    const type = annotation(s);
    s.expect('=');
    list.push({ name, type, value: assignment(s) });
  } while (s.accept(','));
  return { k: 'let', constant, list };
}

function loop(s: Scanner): Statement {
  s.next();
  s.expect('(');
  const init = s.is(';')
    ? undefined
    : s.is('let') || s.is('const')
      ? declaration(s)
      : ({ k: 'expr', value: expression(s) } as const);
  s.expect(';');
  const reach = reachFrom(s);
  const test = s.is(';') ? undefined : expression(s);
  s.expect(';');
  const update = s.is(')') ? undefined : expression(s);
  s.expect(')');
  const body = statement(s);
  return { k: 'for', init, test, update, body, reach: reach() };
}

function choice(s: Scanner): Statement {
  s.next();
  const on = condition(s);
  s.expect('{');
  const cases: Case[] = [];
  while (!s.accept('}')) {
    let value: Expr | undefined;
    if (!s.accept('default')) {
      s.expect('case');
      value = ternary(s, 0);
    }
    s.expect(':');
    const body: Statement[] = [];
    while (!s.is('case') && !s.is('default') && !s.is('}')) if (!s.accept(';')) body.push(statement(s));
    cases.push({ value, body });
  }
  return { k: 'switch', on, cases };
}

function expression(s: Scanner): Expr {
  let e = assignment(s);
  while (s.accept(',')) e = { k: 'comma', first: e, last: assignment(s) };
  return e;
}

function assignment(s: Scanner): Expr {
  const e = ternary(s, 0);
  if (s.kind !== SIGN || !ASSIGNMENTS.has(s.token)) return e;
  if (e.k !== 'name' && e.k !== 'index') s.fail('something that can be assigned');
  const op = s.token;
  s.next();
  return { k: 'assign', op, to: e as Target, value: assignment(s) };
}

function ternary(s: Scanner, power: number): Expr {
  const test = infix(s, power);
  if (power > 0 || !s.accept('?')) return test;
  const a = assignment(s);
  s.expect(':');
  return { k: 'cond', test, a, b: assignment(s) };
}

function infix(s: Scanner, power: number): Expr {
  let a = prefix(s);
  while (s.kind === SIGN) {
    const op = s.token;
    const own = POWER[op];
    if (own === undefined || own <= power) break;
    s.next();
    a = { k: 'binary', op, a, b: infix(s, own) };
  }
  return a;
}

function prefix(s: Scanner): Expr {
  if (s.kind === NUMBER) {
    const value = Number(s.token);
    if (Number.isNaN(value)) s.fail('a number');
    s.next();
    return { k: 'literal', value };
  }
  if (s.kind === SIGN) {
    const op = s.token;
    switch (op) {
      case '(': {
        s.next();
        const e = expression(s);
        s.expect(')');
        return e;
      }
      case '-':
      case '+':
      case '!':
      case '~': {
        s.next();
        const a = prefix(s);
        if (op === '-' && a.k === 'literal') return { k: 'literal', value: 0 - a.value };
        return { k: 'unary', op, a };
      }
      case '++':
      case '--': {
        s.next();
        return { k: 'step', by: op === '++' ? 1 : -1, prefix: true, to: prefix(s) as Target };
      }
      default:
        s.fail('an expression');
    }
  }
  return postfix(s, s.word());
}

function postfix(s: Scanner, word: string): Expr {
  const named = NAMED[word];
  if (named !== undefined && Object.hasOwn(NAMED, word)) return { k: 'literal', value: named };
  let name = word;
  if (s.accept('.')) {
    const member = s.word();
    if (member === 'length') return { k: 'length', array: word };
    name = `${word}.${member}`;
  }
  if (s.accept('(')) {
    const args: Expr[] = [];
    while (!s.is(')')) {
      args.push(assignment(s));
      if (!s.accept(',')) break;
    }
    s.expect(')');
    if (name === 'grown' && args[0]?.k === 'name') s.grown.push(args[0].name);
    else s.called.push(name);
    return { k: 'call', name, args };
  }
  let e: Target = { k: 'name', name };
  if (s.accept('[')) {
    e = { k: 'index', array: word, at: expression(s) };
    s.expect(']');
  }
  if (s.is('++') || s.is('--')) {
    const by = s.is('++') ? 1 : -1;
    s.next();
    return { k: 'step', by, prefix: false, to: e };
  }
  return e;
}
