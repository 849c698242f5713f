import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { MAX_MOVES } from '../../../analysis/game/game-text.ts';
import type { TokenGame } from '../../../analysis/game/token-game.ts';
import type { NetDrawing } from '../../../net/drawing/svg.ts';
import { formatNetSeconds } from '../../../report/units.ts';
import { messageOf } from '../../record/followed-net.ts';
import { Drawing } from './drawing.tsx';
import { Marking, SetTokens } from './marking.tsx';

/** Bindings that are listed at once. */
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
  const isMet = useSignal(false);
  const name = useSignal('');
  const isLong = useSignal(false);
  /** Fires random bindings until a limit that the player has entered. */
  const run = (steps: number): number => {
    const { until, condition } = limit.peek();
    const holds = condition.trim() === '' ? undefined : game.condition(condition);
    const fired = game.run({
      steps,
      ...(until === '' ? {} : { until: Number(until) }),
      ...(holds === undefined ? {} : { stop: holds }),
    });
    isMet.value = fired > 0 && holds?.(game) === true;
    return fired;
  };
  const act = (what: () => void): void => {
    isMet.value = false;
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
        if (run(1) === 0 || isMet.peek()) isPlaying.value = false;
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
        Time {formatNetSeconds(game.time)}, step {game.depth}
        {game.last === undefined ? '' : `, last ${game.last}`}.
        {enabled.length === 0 ? ' Nothing is enabled any more.' : ''}
        {isMet.value ? ' The condition holds.' : ''}
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
          onClick={() => {
            isMet.value = false;
            isPlaying.value = !isPlaying.value;
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
          onClick={() =>
            act(() => {
              const { steps, until, condition } = limit.value;
              const hasEnd = until !== '' || condition.trim() !== '';
              run(steps === '' ? (hasEnd ? MAX_STEPS : 1) : Math.min(MAX_STEPS, Number(steps)));
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
          <ul aria-labelledby="enabled-heading" class="bindings">
            {enabled.slice(0, MAX_BINDINGS).map(({ label }, k) => (
              <li key={`${k} ${label}`}>
                <label>
                  <input
                    type="radio"
                    name="binding"
                    checked={label === selected}
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
