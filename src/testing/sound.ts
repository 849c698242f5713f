import { type Formula, partsOf } from '../analysis/properties/property.ts';
import { formulaText } from '../analysis/properties/property-text.ts';
import { fail } from '../base/problem.ts';
import { statementTransitions } from '../commands/verify/program/model-subject.ts';
import type { Place } from '../net/net.ts';
import type { Answer } from './answer.ts';
import type { Result } from './asked.ts';
import { foundLines, repeatLines, results, verifyArguments } from './asked.ts';
import { allOf, markingFormula, tokensOf } from './marking-formula.ts';
import { isFormula, isModelSubject, type ModelSubject, programVerdict, type Subject } from './subject.ts';

/**
 * Checks that a net is sound (for workflow nets van der Aalst 1997; final markings of models: P9): the final marking can always
 * be reached, no transition is dead, and no tokens are left over. In the final marking every place that it does not name must be
 * empty; places of kind `resource` or `data` must hold their initial number of tokens. A model is checked as by `foretoken verify`.
 *
 * @throws InputError TEST004 without a final marking; MODEL020, MODEL027, MODEL033 for a faulty program
 */
export function sound(subject: Subject, test: string): Answer {
  if (isModelSubject(subject)) return programSound(subject, test);
  const { final, words } = subject;
  if (final === undefined)
    return fail(
      'TEST004',
      "a net does not define its final marking: give { final: { done: 1 } } or { final: 'tokens(done) = 1' }",
      {
        part: 'toBeSound',
      },
    );
  const { ended, reached } = finals(subject, final);
  const demands = demandsOf(subject, ended, reached);
  const asked = { ...subject, final: ended };
  const found = results(
    asked,
    demands.map((d) => d.property),
  );
  const wrong = found.findIndex((r) => r.verdict === false);
  const open = found.findIndex((r) => r.verdict === null);
  const one = wrong >= 0 ? wrong : open;
  const holds = wrong >= 0 ? false : open >= 0 ? undefined : true;
  const shownResults: readonly Result[] = one < 0 ? found : [found[one]!];
  return {
    holds,
    words,
    demand: 'to be sound',
    found: [
      ...(wrong < 0 ? [] : [`${demands[wrong]!.words}:`]),
      ...(holds === true
        ? [
            `the final marking stays reachable, no tokens remain, no transition is dead: decided by ${
              found.some((r) => r.certificate?.kind === 'structure') ? 'the structure of the net and ' : ''
            }exploring ${found.at(-1)!.states} markings`,
          ]
        : shownResults.flatMap((r) => foundLines(r, subject))),
    ],
    again: () =>
      repeatLines(subject.net, test, (file) =>
        verifyArguments(
          file,
          asked,
          shownResults.flatMap((r) =>
            r.failing === undefined || r.verdict === null ? [r.property] : r.failing.slice(0, 1),
          ),
        ),
      ),
  };
}

/** A condition of soundness, and the message if it fails. */
interface SoundDemand {
  readonly words: string;
  readonly property: Formula;
}

function demandsOf(subject: Subject, ended: Formula, reached: Formula): SoundDemand[] {
  const groups = operations(subject);
  return [
    {
      words: 'tokens remain in addition to the final marking',
      property: always({ op: 'implies', a: reached, b: ended }),
    },
    { words: 'a run stops before the final marking', property: always({ op: 'not', of: { op: 'deadlock' } }) },
    { words: 'the final marking is not always reachable', property: always({ op: 'EF', of: ended }) },
    ...(groups.length === 0
      ? []
      : [
          {
            words: 'a transition is dead',
            property: allOf(
              groups.map(
                (transitions): Formula => ({ op: 'EF', of: { op: 'enabled', transitions: [...transitions] } }),
              ),
            ),
          },
        ]),
  ];
}

/** Groups of transitions, at least one of which must not be dead: for a net each alone, for a model those of each statement. */
function operations({ net, model }: Subject): readonly (readonly string[])[] {
  if (model === undefined) return net.transitions.map((t) => [t.name]);
  return statementTransitions(model.built.program).map((s) => s.transitions);
}

/** Soundness of a model, verified as by `foretoken verify`. */
function programSound(subject: ModelSubject, test: string): Answer {
  const { instance, lines } = programVerdict(subject);
  const { sound: verdict, deadlock, unmatched, endless, neverDone } = instance;
  const { ended, reached } = finals(subject, subject.final!);
  const demands = demandsOf(subject, ended, reached);
  const wrong =
    deadlock !== undefined ? 1 : unmatched.length > 0 ? 0 : endless !== undefined ? 2 : neverDone.length > 0 ? 3 : -1;
  const asked = { ...subject, final: ended };
  return {
    holds: verdict ?? undefined,
    words: subject.words,
    demand: 'to be sound',
    found: [...(verdict === false && wrong >= 0 ? [`${demands[wrong]!.words}:`] : []), ...lines],
    again: () =>
      repeatLines(subject.net, test, (file) =>
        verifyArguments(file, asked, [formulaText(demands[Math.max(0, wrong)]!.property)]),
      ),
  };
}

/**
 * Checks that a model is deadlock-free, as `foretoken verify` does.
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 for a faulty program
 */
export function programDeadlockFree(subject: ModelSubject, test: string): Answer {
  const { instance, lines } = programVerdict(subject);
  const { verdict } = instance.properties.find((p) => p.id === 'deadlock-free')!;
  return {
    holds: verdict ?? undefined,
    words: subject.words,
    demand: 'to be free of deadlocks',
    found: lines,
    again: () => repeatLines(subject.net, test, (file) => verifyArguments(file, subject, ['deadlock-free'])),
  };
}

const always = (of: Formula): Formula => ({ op: 'AG', of });

/** `ended`: the final marking with no tokens left over. `reached`: the final marking, other tokens ignored. */
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
