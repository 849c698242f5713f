import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { PlaceMarking } from '../../../analysis/game/game-labels.ts';
import type { TokenGame } from '../../../analysis/game/token-game.ts';
import { Scroll } from '../../figure.tsx';
import { type Column, SaveCsv } from '../../table.tsx';

/** Places that the table of the marking lists at once. */
const MAX_PLACES = 300;
/** Tokens of a place that are written out. */
const MAX_TOKENS = 20;

const MARKING: readonly Column<PlaceMarking>[] = [
  { name: 'Place', value: ({ place }) => place },
  { name: 'Tokens', value: ({ count }) => count },
  { name: 'Colours', value: ({ tokens }) => textOf(tokens) },
];

/** Tokens with their colours, as in `1, red; 2, blue (in service)`. */
const textOf = (tokens: PlaceMarking['tokens']): string =>
  tokens
    .map(({ text, inService }) => `${text}${inService ? ' (in service)' : ''}`)
    .filter((text) => text !== '')
    .join('; ');

/** The tokens of every place. `time` is the instant of the marking in seconds; a firing sequence without time has none. */
export function Marking(props: {
  readonly marking: readonly PlaceMarking[];
  readonly time: number | undefined;
  /** Places to point out. */
  readonly marks?: ReadonlySet<string>;
}): JSX.Element {
  const { marking, time, marks } = props;
  const all = useSignal(false);
  const shown =
    all.value || marking.length <= 20
      ? marking
      : marking.filter(({ place, count }) => count > 0 || marks?.has(place) === true);
  return (
    <div>
      <SaveCsv
        name="Marking"
        columns={time === undefined ? MARKING : [...MARKING, { name: 'Time', unit: 's', value: () => time }]}
        rows={() => marking}
      />
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
              <tr
                key={of}
                data-place={of}
                data-count={String(count)}
                {...(time === undefined ? {} : { 'data-time': String(time) })}
                {...(marks?.has(of) === true ? { 'data-marked': 'true', class: 'pointed' } : {})}
              >
                <td>{of}</td>
                <td class="number">{count}</td>
                <td>
                  {textOf(list.slice(0, MAX_TOKENS))}
                  {list.length > MAX_TOKENS ? ' …' : ''}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {shown.length > MAX_PLACES ? (
        <p class="note">{(shown.length - MAX_PLACES).toLocaleString('en')} more places are not listed.</p>
      ) : null}
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
    </div>
  );
}

/** Sets the tokens of a place by hand. */
export function SetTokens(props: { readonly game: TokenGame; readonly act: (what: () => void) => void }): JSX.Element {
  const { game, act } = props;
  const place = useSignal('');
  const tokens = useSignal('');
  return (
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
          {game.places.slice(0, 2000).map((of) => (
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
          aria-label="Tokens of the place: a number, or values by semicolons as in 1,red; 2,blue"
          placeholder="2, or 1,red; 2,blue"
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
  );
}

/** Most tokens that a player sets at once. */
const MAX_SET = 1_000_000;

/**
 * Tokens as a player writes them: a number of uncoloured tokens, or values by semicolons.
 *
 * @throws Error for anything else; the game checks the values
 */
function tokensOf(text: string, game: TokenGame, place: string): string[][] {
  if (game.columnsOf(place) > 0)
    return text
      .split(';')
      .filter((token) => token.trim() !== '')
      .map((token) => token.split(',').map((value) => value.trim()));
  const count = Number(text);
  if (!/^\s*\d+\s*$/.test(text) || count > MAX_SET)
    throw new Error(`expected a number of tokens from 0 to ${MAX_SET}, got "${text}"`);
  return Array.from({ length: count }, () => []);
}
