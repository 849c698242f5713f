import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { MAX_MOVES } from '../../../analysis/game/game-text.ts';
import type { TokenGame, UnderWay } from '../../../analysis/game/token-game.ts';
import type { NetDrawing } from '../../../net/drawing/svg.ts';
import { formatNetSeconds } from '../../../report/units.ts';
import { messageOf } from '../../record/followed-net.ts';
import { Drawing } from './drawing.tsx';
import { Marking, SetTokens } from './marking.tsx';

/** Bindings, and firings in progress, that are listed at once. */
const MAX_BINDINGS = 200;
/** Steps that are made at once: a page does not react meanwhile. */
const MAX_STEPS = 10_000;
/** Firings per second of a game that plays by itself. */
const PACES = [1, 2, 5, 20, 100] as const;

/** Plays a net by hand: a player fires bindings, steps back, sets tokens, keeps markings under names. */
export function Game(props: {
  readonly game: TokenGame;
  readonly drawing: NetDrawing | null;
  /** The game as text, which the address of the page has. */
  readonly address: Signal<string>;
}): JSX.Element {
  const { game, drawing, address } = props;
  const turn = useSignal(0);
  const chosen = useSignal<string | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const isPlaying = useSignal(false);
  const pace = useSignal<number>(2);
  const limit = useSignal({ steps: '', until: '', condition: '' });
  /** The limit that ended the last run, as a sentence; empty if none did. */
  const ended = useSignal('');
  /** Steps that a run at a pace has left. */
  const left = useRef(0);
  const bindings = useRef<HTMLUListElement>(null);
  const name = useSignal('');
  const isLong = useSignal(false);
  /** Fires random bindings until a limit that the player has entered. True if none is reached. */
  const run = (steps: number): boolean => {
    const { until, condition } = limit.peek();
    const end = until === '' ? Number.POSITIVE_INFINITY : timeOf(until);
    const holds = condition.trim() === '' ? undefined : game.condition(condition);
    const fired = game.run({ steps, until: end, ...(holds === undefined ? {} : { stop: holds }) });
    if (fired > 0 && holds?.(game) === true) ended.value = 'The condition holds.';
    else if (fired < steps && game.enabled().length > 0)
      ended.value = `The next step leads beyond ${formatNetSeconds(end)}.`;
    else return fired === steps;
    return false;
  };
  const act = (what: () => void): void => {
    ended.value = '';
    try {
      what();
      problem.value = undefined;
    } catch (error) {
      isPlaying.value = false;
      problem.value = messageOf(error);
    }
    isLong.value = game.text === undefined;
    address.value = game.text ?? '';
    turn.value++;
  };
  useSignalEffect(() => {
    if (!isPlaying.value) return;
    const timer = setInterval(() => {
      // Effects end in the next frame, after further ticks.
      if (!isPlaying.peek()) return;
      act(() => {
        left.current--;
        if (run(1) && left.current > 0) return;
        isPlaying.value = false;
        if (left.current === 0 && ended.peek() === '') ended.value = 'All steps are made.';
      });
    }, 1000 / pace.value);
    return () => clearInterval(timer);
  });
  void turn.value;
  const enabled = game.enabled();
  const selected = enabled.some(({ label }) => label === chosen.value) ? chosen.value : enabled[0]?.label;
  const marking = game.marking();
  return (
    <>
      <p class="note" aria-live="polite">
        Time {formatNetSeconds(game.time)}, step {game.changes}
        {game.last === undefined ? '' : `, last ${game.last}`}.
        {enabled.length === 0 ? ' Nothing is enabled any more.' : ''}
        {ended.value === '' ? '' : ` ${ended.value}`}
      </p>
      {problem.value === undefined ? null : <p role="alert">{problem.value}</p>}
      {isLong.value ? (
        <p class="note">
          The game is too long for the address of this page (more than {MAX_MOVES.toLocaleString('en')} moves): it is
          lost when the page is loaded again.
        </p>
      ) : null}
      <div class="tools">
        <button
          type="button"
          disabled={selected === undefined}
          onClick={() => act(() => game.fire(enabled.findIndex(({ label }) => label === selected)))}
        >
          Fire
        </button>
        <button type="button" disabled={enabled.length === 0} onClick={() => act(() => void game.fireRandom())}>
          Random
        </button>
        <button type="button" disabled={game.depth === 0} onClick={() => act(() => void game.back())}>
          Step back
        </button>
        <button
          type="button"
          aria-pressed={isPlaying.value}
          disabled={enabled.length === 0}
          onClick={() => {
            if (isPlaying.peek()) isPlaying.value = false;
            else
              act(() => {
                left.current = stepsOf(limit.peek().steps) ?? Number.POSITIVE_INFINITY;
                isPlaying.value = true;
              });
          }}
        >
          {isPlaying.value ? 'Stop' : 'Run'}
        </button>
        <label>
          Pace{' '}
          <select
            value={String(pace.value)}
            onChange={(event) => {
              pace.value = Number(event.currentTarget.value);
            }}
          >
            {PACES.map((each) => (
              <option key={each} value={String(each)}>
                {each} per second
              </option>
            ))}
          </select>
        </label>
        <label>
          Until{' '}
          <input
            type="number"
            step="any"
            min="0"
            aria-label="Run until, in seconds"
            value={limit.value.until}
            onInput={(event) => {
              limit.value = { ...limit.value, until: event.currentTarget.value };
            }}
          />{' '}
          s
        </label>
        <label>
          Condition{' '}
          <input
            type="text"
            aria-label="Run until a condition holds"
            placeholder="#place > 2 &amp; !enabled(t)"
            title="A formula on the marking, as verify has it: #place counts tokens, enabled(transition); &amp; and, | or, ! not"
            value={limit.value.condition}
            onInput={(event) => {
              limit.value = { ...limit.value, condition: event.currentTarget.value };
            }}
          />
        </label>
        <label>
          Steps{' '}
          <input
            type="number"
            min="1"
            max={MAX_STEPS}
            aria-label={`Number of steps, at most ${MAX_STEPS}`}
            value={limit.value.steps}
            onInput={(event) => {
              limit.value = { ...limit.value, steps: event.currentTarget.value };
            }}
          />
        </label>
        <button
          type="button"
          disabled={enabled.length === 0}
          onClick={() =>
            act(() => {
              const { steps, until, condition } = limit.value;
              const hasEnd = until !== '' || condition.trim() !== '';
              run(stepsOf(steps) ?? (hasEnd ? MAX_STEPS : 1));
            })
          }
        >
          Make steps
        </button>
      </div>
      <div class="tools">
        <label>
          Name{' '}
          <input
            type="text"
            aria-label="Name of a marking"
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="button" disabled={name.value === ''} onClick={() => act(() => game.keep(name.value))}>
          Keep marking
        </button>
        {game.kept.map((each) => (
          <button type="button" key={each} onClick={() => act(() => game.return(each))}>
            Return to {each}
          </button>
        ))}
      </div>
      <div class="game">
        <div>
          <h3 id="enabled-heading">Enabled bindings</h3>
          <ul aria-labelledby="enabled-heading" class="bindings" ref={bindings}>
            {enabled.slice(0, MAX_BINDINGS).map(({ label }, k) => (
              <li key={`${k} ${label}`}>
                <label>
                  <input
                    type="radio"
                    name="binding"
                    checked={label === selected}
                    title="Enter fires"
                    onKeyDown={(event) => {
                      if (event.key !== 'Enter' || event.repeat) return;
                      event.preventDefault();
                      act(() => game.fire(k));
                      // The list has changed: the keyboard stays in it.
                      requestAnimationFrame(() =>
                        bindings.current?.querySelector<HTMLInputElement>('input:checked')?.focus(),
                      );
                    }}
                    onChange={() => {
                      chosen.value = label;
                    }}
                  />
                  {label}
                </label>
              </li>
            ))}
          </ul>
          {enabled.length > MAX_BINDINGS ? (
            <p class="note">{enabled.length - MAX_BINDINGS} more are not listed.</p>
          ) : null}
          <Progress of={game.underWay()} />
        </div>
        <div>
          <Marking marking={marking} time={game.time} />
          <SetTokens game={game} act={act} />
        </div>
      </div>
      {drawing === null ? null : (
        <Drawing
          drawing={drawing}
          counts={new Map(marking.map(({ place, count }) => [place, count]))}
          enabled={new Set(enabled.map(({ transition }) => transition))}
        />
      )}
    </>
  );
}

/** Firings that have taken their tokens and bring others later, and transitions whose clocks run: why a token is missing, what comes next. */
function Progress({ of }: { readonly of: readonly UnderWay[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <>
      <h3 id="progress-heading">In progress</h3>
      <ul aria-labelledby="progress-heading" class="bindings">
        {of.slice(0, MAX_BINDINGS).map(({ label, end, isClock }, k) => (
          <li key={`${k} ${label}`} data-end={String(end)}>
            {label}, {isClock ? 'clock runs until' : 'ends at'} {formatNetSeconds(end)}
          </li>
        ))}
      </ul>
      {of.length > MAX_BINDINGS ? <p class="note">{of.length - MAX_BINDINGS} more are not listed.</p> : null}
    </>
  );
}

/** The number of steps in a text field; undefined if the field is empty. @throws Error if the text is no number from 1 to {@link MAX_STEPS} */
function stepsOf(text: string): number | undefined {
  if (text.trim() === '') return undefined;
  const steps = Number(text);
  if (Number.isInteger(steps) && steps >= 1 && steps <= MAX_STEPS) return steps;
  throw new Error(`expected a number of steps from 1 to ${MAX_STEPS}, got "${text}"`);
}

/** The time in seconds in a text field. @throws Error if the text is no number from 0 on */
function timeOf(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new Error(`expected a time of at least 0 s, got "${text}"`);
}
