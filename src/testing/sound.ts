import { type Formula, partsOf } from '../analysis/properties/property.ts';
import { fail } from '../base/problem.ts';
import type { Net, Place } from '../net/net.ts';
import type { Answer } from './answer.ts';
import { foundLines, results, verifyArguments } from './asked.ts';
import { allOf, markingFormula, tokensOf } from './marking-formula.ts';
import { repeatLines } from './repeat.ts';
import { isFormula, type Subject } from './subject.ts';
import type { Result } from './witness-text.ts';

/**
 * Whether a net is sound (SEMANTICS 15; of workflow nets van der Aalst 1997): the final marking stays possible, no transition
 * is dead, and nothing is left over: a place that the final marking does not name is empty then, or, if it is of
 * kind `resource` or `data`, as it was at first. Of a model, dead is a statement that no rank comes to: transitions of
 * messages and collectives serve every program.
 *
 * @throws InputError TEST004 where no final marking is given
 */
export function sound(subject: Subject, test: string): Answer {
  const { net, final, words, programs } = subject;
  if (final === undefined)
    return fail(
      'TEST004',
      "a net has no final marking of its own: give { final: { done: 1 } }, or { final: 'tokens(done) = 1' }",
      {
        part: 'toBeSound',
      },
    );
  const { ended, reached } = finals(subject, final);
  const transitions = net.transitions.filter((t) => isOwn(t, programs));
  const demands: { readonly words: string; readonly property: Formula }[] = [
    { words: 'something is left over', property: always({ op: 'implies', a: reached, b: ended }) },
    { words: 'a run stops before the final marking', property: always({ op: 'not', of: { op: 'deadlock' } }) },
    { words: 'the final marking is not always possible', property: always({ op: 'EF', of: ended }) },
    ...(transitions.length === 0
      ? []
      : [
          {
            words: 'a transition is dead',
            property: allOf(
              transitions.map((t): Formula => ({ op: 'EF', of: { op: 'enabled', transitions: [t.name] } })),
            ),
          },
        ]),
  ];
  const asked = { ...subject, final: ended };
  const found = results(
    asked,
    demands.map((d) => d.property),
  );
  const wrong = found.findIndex((r) => r.verdict === false);
  const open = found.findIndex((r) => r.verdict === null);
  const one = wrong >= 0 ? wrong : open;
  const holds = wrong >= 0 ? false : open >= 0 ? undefined : true;
  const told: readonly Result[] = one < 0 ? found : [found[one]!];
  return {
    holds,
    words,
    demand: 'to be sound',
    found: [
      ...(wrong < 0 ? [] : [`${demands[wrong]!.words}:`]),
      ...(holds === true
        ? [
            `the final marking stays possible, nothing is left over, no transition is dead, by ${
              found.some((r) => r.certificate?.kind === 'structure') ? 'the structure of the net and ' : ''
            }${found.at(-1)!.states} markings`,
          ]
        : told.flatMap((r) => foundLines(r, subject))),
    ],
    again: () =>
      repeatLines(net, test, (file) =>
        verifyArguments(
          file,
          asked,
          told.flatMap((r) => (r.failing === undefined || r.verdict === null ? [r.property] : r.failing.slice(0, 1))),
        ),
      ),
  };
}

const always = (of: Formula): Formula => ({ op: 'AG', of });

/** When a run has ended as it should; and when it has come so far, whatever is left over. */
function finals({ net, givenFinal }: Subject, final: Formula): { readonly ended: Formula; readonly reached: Formula } {
  const asMarking = givenFinal !== undefined && typeof givenFinal !== 'string' && !isFormula(givenFinal);
  const named = asMarking ? new Set(Object.keys(givenFinal)) : placesOf(final);
  const rest = net.places.filter((p) => !named.has(p.name)).map((p) => tokensOf(p.name, '=', atRest(p)));
  return {
    ended: allOf([final, ...rest]),
    reached: asMarking ? markingFormula(net, 'final', givenFinal, '>=') : final,
  };
}

function atRest({ kind, initial }: Place): number {
  return kind === 'resource' || kind === 'data' ? initial.reduce((sum, t) => sum + t.count, 0) : 0;
}

function placesOf(formula: Formula): Set<string> {
  const places = new Set<string>();
  const left = [formula];
  for (let f = left.pop(); f !== undefined; f = left.pop()) {
    if (f.op === 'compare') for (const { place } of [...f.left.terms, ...f.right.terms]) places.add(place);
    left.push(...partsOf(f));
  }
  return places;
}

/** Ways that control takes: statements on a way that nothing takes are told themselves. */
const WAYS = / (?:then|else|again|done)$/;

/** Of a model: a transition of its programs' statements, and none that a mistake in an argument leads to. */
function isOwn(t: Net['transitions'][number], programs: readonly string[]): boolean {
  if (programs.length === 0) return true;
  const own = programs.some((p) => t.modules?.includes(p) === true);
  return own && !WAYS.test(t.name) && !t.outputs.some((a) => a.place.includes('fault of '));
}
