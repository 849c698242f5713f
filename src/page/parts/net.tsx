import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { TokenGame } from '../../analysis/game/token-game.ts';
import { formatProblem, InputError } from '../../base/problem.ts';
import type { NetDrawing } from '../../net/drawing/svg.ts';
import { netFromJson } from '../../net/json/json.ts';
import { formatNetSeconds } from '../../report/units.ts';
import type { Content } from '../content.ts';
import { Region, Scroll } from '../figure.tsx';
import { save } from '../save.ts';

/** Bindings that are listed at once. */
const MAX_BINDINGS = 200;
/** Steps that are made at once: a page does not react meanwhile. */
const MAX_STEPS = 10_000;
/** Firings per second of a game that plays by itself. */
const PACES = [1, 2, 5, 20, 100] as const;

/** The net as a game: a player fires bindings, steps back, sets tokens, keeps markings under names. */
export function NetGame({ net: given }: { readonly net: NonNullable<Content['net']> }): JSX.Element {
  const made = useMemo(() => begun(given.net), [given]);
  const turn = useSignal(0);
  const chosen = useSignal<string | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const isPlaying = useSignal(false);
  const pace = useSignal<number>(2);
  const limit = useSignal({ steps: '', until: '' });
  const name = useSignal('');
  const { game } = made;
  const act = (what: () => void): void => {
    try {
      what();
      problem.value = undefined;
    } catch (error) {
      isPlaying.value = false;
      problem.value = messageOf(error);
    }
    turn.value++;
  };
  useSignalEffect(() => {
    if (!isPlaying.value || game === undefined) return;
    const timer = setInterval(() => {
      const until = limit.peek().until === '' ? Number.POSITIVE_INFINITY : Number(limit.peek().until);
      act(() => {
        if (game.run({ steps: 1, until }) === 0) isPlaying.value = false;
      });
    }, 1000 / pace.value);
    return () => clearInterval(timer);
  });
  if (game === undefined)
    return (
      <Region name="Net">
        <p role="alert">The net cannot be played: {made.why}</p>
      </Region>
    );
  void turn.value;
  const enabled = game.enabled();
  const selected = enabled.some(({ label }) => label === chosen.value) ? chosen.value : enabled[0]?.label;
  const marking = game.marking();
  return (
    <Region name="Net">
      <p class="note" aria-live="polite">
        Time {formatNetSeconds(game.time)}, step {game.depth}
        {game.last === undefined ? '' : `, last ${game.last}`}.
        {enabled.length === 0 ? ' Nothing is enabled any more.' : ''}
      </p>
      {problem.value === undefined ? null : <p role="alert">{problem.value}</p>}
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
              const { steps, until } = limit.value;
              game.run({
                steps: steps === '' ? 1 : Math.min(MAX_STEPS, Number(steps)),
                ...(until === '' ? {} : { until: Number(until) }),
              });
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
        <Marking game={game} marking={marking} act={act} />
      </div>
      {given.drawing === null ? null : (
        <Drawing
          drawing={given.drawing}
          counts={new Map(marking.map(({ place, count }) => [place, count]))}
          enabled={new Set(enabled.map(({ transition }) => transition))}
        />
      )}
    </Region>
  );
}

function begun(net: unknown): { readonly game?: TokenGame; readonly why?: string } {
  try {
    return { game: new TokenGame(netFromJson(JSON.stringify(net), 'net')) };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

const messageOf = (error: unknown): string =>
  error instanceof InputError ? error.problems.map(formatProblem).join(' ') : (error as Error).message;

/** Places that the table of the marking lists at once. */
const MAX_PLACES = 300;
/** Tokens of a place that are written out. */
const MAX_TOKENS = 20;

function Marking(props: {
  readonly game: TokenGame;
  readonly marking: ReturnType<TokenGame['marking']>;
  readonly act: (what: () => void) => void;
}): JSX.Element {
  const { game, marking, act } = props;
  const all = useSignal(false);
  const place = useSignal('');
  const tokens = useSignal('');
  const shown = all.value || marking.length <= 20 ? marking : marking.filter(({ count }) => count > 0);
  return (
    <div>
      <Scroll name="Marking">
        <table aria-label="Marking">
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">Tokens</th>
              <th scope="col">Colours</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, MAX_PLACES).map(({ place: of, count, tokens: list }) => (
              <tr key={of} data-place={of} data-count={String(count)} data-time={String(game.time)}>
                <td>{of}</td>
                <td class="number">{count}</td>
                <td>
                  {list
                    .slice(0, MAX_TOKENS)
                    .map(({ text, inService }) => `${text}${inService ? ' (in service)' : ''}`)
                    .filter((text) => text !== '')
                    .join('; ')}
                  {list.length > MAX_TOKENS ? ' …' : ''}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {shown.length < marking.length ? (
        <button
          type="button"
          onClick={() => {
            all.value = true;
          }}
        >
          Show empty places
        </button>
      ) : null}
      <div class="tools">
        <label>
          Place{' '}
          <select
            value={place.value}
            onChange={(event) => {
              place.value = event.currentTarget.value;
            }}
          >
            <option value="">choose</option>
            {marking.slice(0, 2000).map(({ place: of }) => (
              <option key={of} value={of}>
                {of}
              </option>
            ))}
          </select>
        </label>
        <label>
          Tokens{' '}
          <input
            type="text"
            aria-label="Tokens of the place: a number, or values by semicolons as in 1,2; 1,3"
            placeholder="2, or 1,2; 1,3"
            value={tokens.value}
            onInput={(event) => {
              tokens.value = event.currentTarget.value;
            }}
          />
        </label>
        <button
          type="button"
          disabled={place.value === ''}
          onClick={() => act(() => game.setTokens(place.value, tokensOf(tokens.value, game, place.value)))}
        >
          Set tokens
        </button>
      </div>
    </div>
  );
}

/** Most tokens that a player sets at once. */
const MAX_SET = 1_000_000;

/**
 * Tokens as a player writes them: a number of uncoloured tokens, or values by semicolons.
 *
 * @throws Error for anything else; the game checks the values
 */
function tokensOf(text: string, game: TokenGame, place: string): number[][] {
  if (game.columnsOf(place) > 0)
    return text
      .split(';')
      .filter((token) => token.trim() !== '')
      .map((token) => token.split(',').map((value) => (value.trim() === '' ? Number.NaN : Number(value))));
  const count = Number(text);
  if (!/^\s*\d+\s*$/.test(text) || count > MAX_SET)
    throw new Error(`expected a number of tokens from 0 to ${MAX_SET}, got "${text}"`);
  return Array.from({ length: count }, () => []);
}

/** The drawing of the net, with the tokens and the enabled transitions of the present marking. */
function Drawing(props: {
  readonly drawing: NetDrawing;
  readonly counts: ReadonlyMap<string, number>;
  readonly enabled: ReadonlySet<string>;
}): JSX.Element {
  const { drawing, counts, enabled } = props;
  const { x, y, width, height } = drawing.view;
  const source = useMemo(() => `data:image/svg+xml;base64,${base64Of(drawing.svg)}`, [drawing]);
  return (
    <>
      <Scroll name="Drawing of the net" class="drawing">
        <div class="layers">
          <img src={source} width={width} height={height} alt="Drawing of the net: the table Marking has its tokens" />
          <svg width={width} height={height} viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true">
            {Object.entries(drawing.transitions).map(([name, at]) =>
              enabled.has(name) ? <circle key={name} class="enabled" cx={at.x} cy={at.y} r="16" /> : null,
            )}
            {Object.entries(drawing.places).map(([name, at]) => {
              const count = counts.get(name) ?? 0;
              return count === 0 ? null : (
                <g key={name}>
                  <circle class="marked" cx={at.x} cy={at.y} r="9" />
                  <text class="count" x={at.x} y={at.y}>
                    {count}
                  </text>
                </g>
              );
            })}
          </svg>
        </div>
      </Scroll>
      <button type="button" onClick={() => save('net.svg', 'image/svg+xml', drawing.svg)}>
        Save SVG
      </button>
    </>
  );
}

function base64Of(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
