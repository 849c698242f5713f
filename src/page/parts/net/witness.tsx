import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Subjects, shownBy } from '../../../analysis/game/shown-by.ts';
import { WitnessRun } from '../../../analysis/game/witness-run.ts';
import { listing } from '../../../base/listing.ts';
import type { GivenWitness } from '../../../commands/verify/net/witnesses-in.ts';
import type { NetDrawing } from '../../../net/drawing/svg.ts';
import type { Net } from '../../../net/net.ts';
import { messageOf } from '../../record/followed-net.ts';
import type { PageState } from '../../state.ts';
import { Drawing } from './drawing.tsx';
import { Marking } from './marking.tsx';

/** Steps that are listed at once, around the present one. */
const MAX_STEPS = 200;
/** Enabled steps that are listed at once. */
const MAX_ENABLED = 200;

/** Steps through a firing sequence that `verify` has found: the marking at each step, and what it shows. */
export function Witness(props: {
  readonly net: Net;
  readonly drawing: NetDrawing | null;
  readonly witnesses: readonly GivenWitness[];
  readonly place: PageState['witness'];
}): JSX.Element {
  const { net, drawing, witnesses, place } = props;
  const chosen = Math.max(
    0,
    witnesses.findIndex(({ id }) => id === place.value?.id),
  );
  const witness = witnesses[chosen]!;
  const position = witness.id === place.value?.id ? place.value.position : 0;
  const made = useMemo(() => begun(net, witness), [net, witness]);
  if (made.run === undefined) return <p role="alert">The witness cannot be stepped through: {made.why}</p>;
  const { run, subjects } = made;
  const { steps, loop, shows, shortest, delays, property, verdict } = witness;
  const at = Math.min(position, run.last);
  const step = run.stepAt(at);
  const marking = run.marking(at);
  const enabled = run.enabled(at);
  const busy = run.inProgress(at);
  const go = (to: number): void => {
    place.value = { id: witness.id, position: Math.max(0, Math.min(run.last, to)) };
  };
  // Steps of a further pass of the loop have later times, which the document does not tell.
  const time = delays?.times === undefined || at > run.length ? undefined : at === 0 ? 0 : delays.times[at - 1];
  const from = Math.max(0, Math.min((step ?? 0) - MAX_STEPS / 2, steps.length - MAX_STEPS));
  return (
    <>
      <div class="tools">
        {witnesses.length < 2 ? null : (
          <label class="choice">
            Witness{' '}
            <select
              value={String(chosen)}
              onChange={(event) => {
                place.value = { id: witnesses[Number(event.currentTarget.value)]!.id, position: 0 };
              }}
            >
              {witnesses.map(({ id }, k) => (
                <option key={id} value={String(k)}>
                  {id}
                </option>
              ))}
            </select>
          </label>
        )}
        <button type="button" disabled={at === 0} onClick={() => go(0)}>
          First step
        </button>
        <button type="button" disabled={at === 0} onClick={() => go(at - 1)}>
          Previous step
        </button>
        <button type="button" disabled={at >= run.last} onClick={() => go(at + 1)}>
          Next step
        </button>
        <button type="button" disabled={at === run.length} onClick={() => go(run.length)}>
          Last step
        </button>
      </div>
      <p data-witness={witness.id} data-position={String(at)} aria-live="polite">
        {step === undefined
          ? `The initial marking, before ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}.`
          : `Step ${step + 1} of ${steps.length}: ${run.label(step)}.`}
        {time === undefined ? '' : ` Time: ${time} s.`}
        {at > run.length && loop !== undefined
          ? ` Pass ${Math.floor((at - 1 - loop) / (run.length - loop)) + 1} of the loop.`
          : ''}
        {at === run.length ? ` Shown here: ${shows}.` : ''}
      </p>
      <p class="note">
        {property} {verdictText(verdict)}: {shows}.{shortest ? ' No shorter sequence shows it.' : ''}
        {loop === undefined
          ? ''
          : ` Steps ${loop + 1} to ${steps.length} repeat forever${loop === 0 ? '' : `, after a prefix of ${loop}`}.`}
        {delays === undefined ? '' : ` Do the delays permit this order? ${delays.permitted}: ${delays.reason}.`}
      </p>
      {subjects.places.size + subjects.transitions.size === 0 ? null : (
        <p class="note">Shown by {listing([...subjects.places, ...subjects.transitions], { max: MAX_NAMED })}.</p>
      )}
      <div class="game">
        <div>
          <h3 id="steps-heading">Steps</h3>
          <ol aria-labelledby="steps-heading" class="bindings" start={from + 1}>
            {steps.slice(from, from + MAX_STEPS).map((_, k) => (
              <li
                key={from + k}
                {...(from + k === step ? { 'aria-current': 'step' as const } : {})}
                {...(loop !== undefined && from + k >= loop ? { 'data-repeats': 'true' } : {})}
              >
                <button type="button" class="plain" onClick={() => go(from + k + 1)}>
                  {run.label(from + k)}
                </button>
                {loop !== undefined && from + k === loop ? ' (the loop begins)' : ''}
              </li>
            ))}
          </ol>
        </div>
        <div>
          <h3 id="enabled-heading">Enabled bindings</h3>
          <ul aria-labelledby="enabled-heading" class="bindings">
            {enabled.slice(0, MAX_ENABLED).map((label) => (
              <li key={label}>{label}</li>
            ))}
          </ul>
          {enabled.length > MAX_ENABLED ? (
            <p class="note">{enabled.length - MAX_ENABLED} more are not listed.</p>
          ) : null}
          {enabled.length === 0 ? <p class="note">No step is possible.</p> : null}
          {busy.length === 0 ? null : (
            <p class="note">In progress: {listing(busy, { max: MAX_NAMED, separator: '; ' })}</p>
          )}
        </div>
        <Marking marking={marking} time={time} marks={subjects.places} />
      </div>
      {drawing === null ? null : (
        <Drawing
          drawing={drawing}
          counts={new Map(marking.map(({ place, count }) => [place, count]))}
          enabled={run.seen(at).enabled}
          marks={subjects}
          last={step === undefined ? undefined : steps[step]!.node}
        />
      )}
    </>
  );
}

/** Names that one line lists. */
const MAX_NAMED = 20;

const verdictText = (verdict: GivenWitness['verdict']): string =>
  typeof verdict === 'boolean' ? (verdict ? 'holds' : 'does not hold') : `is ${verdict ?? 'not known'}`;

interface Begun {
  readonly run?: WitnessRun;
  readonly subjects: Subjects;
  readonly why?: string;
}

function begun(net: Net, witness: GivenWitness): Begun {
  try {
    const run = new WitnessRun(net, witness);
    const end = run.seen(run.length);
    const found = (witness.failing ?? []).map((part) => shownBy(net, part, end));
    const all = found.some(({ places, transitions }) => places.size + transitions.size > 0)
      ? found
      : [shownBy(net, witness.property, end)];
    const subjects = {
      places: new Set(all.flatMap(({ places }) => [...places])),
      transitions: new Set(all.flatMap(({ transitions }) => [...transitions])),
    };
    return { run, subjects };
  } catch (error) {
    return { why: messageOf(error), subjects: { places: new Set(), transitions: new Set() } };
  }
}
