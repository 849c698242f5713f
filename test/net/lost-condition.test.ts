import { describe, expect, test } from 'vitest';
import { NetBuilder, type TransitionBuilder } from '../../src/net/builder/builder.ts';
import { fcfs } from '../../src/net/builder/stations.ts';
import { add, and, eq, gt, lt, not, or, type Term, when } from '../../src/net/terms.ts';
import { problemsOf } from './problems.ts';

type Say = (t: TransitionBuilder, x: Term<number>, y: Term<number>) => unknown;

function parts() {
  const n = new NetBuilder('n');
  const X = n.range('X', 0, 3);
  return { n, X, a: n.place('a', { x: X, y: X, ok: n.bool('Ok') }) };
}

const said = (say: Say): string[] => {
  const { n, a } = parts();
  return problemsOf(() =>
    n.transition('t', (t) => {
      const { x, y } = t.take(a);
      say(t, x, y);
    }),
  );
};

describe('a condition lost in a JavaScript operator is rejected', () => {
  const lost: Record<string, Say> = {
    '&& takes the last': (t, x, y) => t.guard(lt(x, 3) && eq(y, 0)),
    '! is false': (t, x) => t.guard(!lt(x, 3)),
    '?: takes the first value': (t, x) => t.delay(lt(x, 3) ? 1 : 2),
    'if always does': (t, x) => {
      if (lt(x, 3)) t.priority(1);
    },
    'within an operator on terms': (t, x, y) => t.guard(and(or(lt(x, 3) && gt(y, 1), eq(x, y)), eq(y, 0))),
    'the result of a function': (t, x) => t.guard(!t.fn({ x }, (s) => s.x > 2)),
  };
  for (const [name, say] of Object.entries(lost))
    test(`a lost condition is rejected: ${name}`, () =>
      expect(said(say)).toEqual([expect.stringMatching(/^NET078 transition t: creates the condition/)]));

  test('and is shown completely', () => {
    const [problem] = said((t, x, y) => t.guard(not(and(lt(x, 3), gt(y, 1))) && eq(y, 0)));
    expect(problem).toContain(
      `NET078 transition t: creates the condition !((x < 3) && (y > 1)) but does not use it. In JavaScript's own !, &&, ?: and if, every term is true: use not, and, when, or a condition as the count of an output`,
    );
  });

  test('of a place, too', () => {
    const { n, X } = parts();
    const service = ({ x }: { x: Term<number> }) => fcfs({ time: lt(x, 2) ? 1 : 2 });
    expect(problemsOf(() => n.place('b', { x: X }, { service }))).toEqual([
      expect.stringMatching(/^NET078 place b: creates the condition x < 2/),
    ]);
  });

  test('code after a promise is not checked, and inner blocks are separate', () => {
    const { n, X, a } = parts();
    const late = async (t: TransitionBuilder): Promise<void> => {
      eq(t.take(a).x, 1);
    };
    expect(problemsOf(() => n.transition('u', late as unknown as () => void))[0]).toMatch(/^NET042/);
    const within = (t: TransitionBuilder): void => {
      const { x } = t.take(a);
      const own = lt(x, 1);
      n.transition('inner', (u) => u.guard(eq(u.take(a).y, 1)));
      t.guard(own);
      n.place('c', { x: X }, { order: { priority: ({ x }) => when(lt(x as Term<number>, 1), 1, 2) } });
    };
    expect(problemsOf(() => n.transition('outer', within))).toEqual([]);
  });
});

test('conditions are used wherever a value is', () => {
  const used: Say[] = [
    (t, x) => t.guard(lt(x, 3)),
    (t, x, y) => t.weight(when(lt(x, y), 1, 2)),
    (t, x, y) => t.delay(when(and(lt(x, 1), eq(y, 0)), 1, add(x, 2))),
    (t, x, y) => t.guard(t.fn({ small: lt(x, y), x }, (s) => s.x > 1)),
    (t, x, y) => t.guard(t.fn({ x, y }, (s) => s.x > s.y)),
  ];
  for (const say of used) expect(said(say)).toEqual([]);
  const { n, a } = parts();
  const say = (t: TransitionBuilder): void => {
    const { x, y } = t.take(a, { ok: true });
    t.put(a, { x, y, ok: gt(x, 1) }, eq(x, y));
    t.inhibit(a, { x: when(lt(x, 2), 1, 0), ok: not(eq(y, 1)) });
  };
  expect(problemsOf(() => n.transition('t', say))).toEqual([]);
});
