import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { TokenGame } from '../../../analysis/game/token-game.ts';
import type { TokenHistory } from '../../../analysis/game/token-history.ts';
import { WitnessRun } from '../../../analysis/game/witness-run.ts';
import { witnessesIn } from '../../../commands/verify/net/witnesses-in.ts';
import { formatNetSeconds } from '../../../report/units.ts';
import type { Content } from '../../content.ts';
import { Region } from '../../figure.tsx';
import { type FollowedNet, followedNet, messageOf } from '../../record/followed-net.ts';
import type { PageState } from '../../state.ts';
import { Drawing } from './drawing.tsx';
import { Game } from './game.tsx';
import { Marking } from './marking.tsx';
import { Witness } from './witness.tsx';

/** Whose marking the part shows. */
type Mode = 'play' | 'witness' | 'replay';

const MODES: Readonly<Record<Mode, string>> = {
  play: 'Play by hand',
  witness: 'Witness',
  replay: 'Replay',
};

/**
 * The net: played by hand, stepped through along a witness, or with the marking of the run at the cursor. Moving the cursor shows the
 * marking of the run, unless the player has made steps by hand.
 */
export function NetPart(props: { readonly net: NonNullable<Content['net']>; readonly state: PageState }): JSX.Element {
  const { net: given, state } = props;
  const seed = seedOf(state.content);
  const made = useMemo(() => begun(given, seed), [given]);
  const game = useSignal(made.game);
  const witnesses = useSignal(given.witnesses);
  const mode = useSignal<Mode>(given.witnesses.length > 0 ? 'witness' : 'play');
  const problem = useSignal<string | undefined>(made.missing);
  const refused = useSignal<string | undefined>(undefined);
  // The address has another game than the one that is played: the page has been loaded again, or the user has entered it.
  useSignalEffect(() => {
    const text = state.game.value;
    const present = game.peek();
    if (made.net === undefined || text === (present?.text ?? '')) return;
    try {
      game.value = text === '' ? new TokenGame(made.net, seed) : TokenGame.continued(made.net, text, seed);
      refused.value = undefined;
      if (text !== '') mode.value = 'play';
    } catch (error) {
      refused.value = `The game in the address of this page is left out. ${messageOf(error)}`;
      state.game.value = present?.text ?? '';
    }
  });
  useSignalEffect(() => {
    const moved = state.time.value !== state.run.from;
    if (moved && made.history !== undefined && game.peek()?.depth === 0 && mode.peek() === 'play')
      mode.value = 'replay';
  });
  if (made.net === undefined)
    return (
      <Region name="Net">
        <p role="alert">The net cannot be played: {made.why}</p>
      </Region>
    );
  const { net } = made;
  const modes: readonly Mode[] = [
    ...(made.history === undefined ? [] : (['replay'] as const)),
    'play',
    ...(witnesses.value.length > 0 ? (['witness'] as const) : []),
  ];
  const load = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    try {
      const found = witnessesIn(JSON.parse(await file.text()), file.name);
      for (const witness of found) void new WitnessRun(net, witness);
      witnesses.value = found;
      state.witness.value = undefined;
      mode.value = 'witness';
      problem.value = undefined;
    } catch (error) {
      problem.value = `${file.name}: the witness cannot be stepped through: ${messageOf(error)}`;
    }
    // The same file can be chosen again.
    input.value = '';
  };
  return (
    <Region name="Net">
      <div class="tools">
        {modes.length < 2 ? null : (
          <fieldset class="tools">
            <legend>Marking of</legend>
            {modes.map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name="marking-of"
                  checked={each === mode.value}
                  onChange={() => {
                    mode.value = each;
                  }}
                />
                {MODES[each]}
              </label>
            ))}
          </fieldset>
        )}
        <label>
          Load witness{' '}
          <input type="file" accept=".json,application/json" onChange={(event) => void load(event.currentTarget)} />
        </label>
      </div>
      {problem.value === undefined ? null : <p role="alert">{problem.value}</p>}
      {refused.value === undefined ? null : <p role="alert">{refused.value}</p>}
      {mode.value === 'replay' && made.history !== undefined ? (
        <Following history={made.history} state={state} drawing={given.drawing} />
      ) : mode.value === 'witness' ? (
        <Witness net={net} drawing={given.drawing} witnesses={witnesses.value} place={state.witness} />
      ) : (
        <Playing game={game.value} why={made.why} drawing={given.drawing} address={state.game} />
      )}
      {given.drawing === null ? (
        <p class="note">The net is listed, not drawn: the notes of the summary say why.</p>
      ) : null}
    </Region>
  );
}

/** The game, or why the net cannot be played. */
function Playing(props: {
  readonly game: TokenGame | undefined;
  readonly why: string | undefined;
  readonly drawing: NonNullable<Content['net']>['drawing'];
  readonly address: Signal<string>;
}): JSX.Element {
  const { game, why, drawing, address } = props;
  if (game === undefined) return <p role="alert">The net cannot be played: {why}</p>;
  return <Game game={game} drawing={drawing} address={address} />;
}

/** The marking of the run at the cursor of the replay. */
function Following(props: {
  readonly history: TokenHistory;
  readonly state: PageState;
  readonly drawing: NonNullable<Content['net']>['drawing'];
}): JSX.Element {
  const { history, state, drawing } = props;
  const time = state.time.value;
  const marking = history.at(time);
  return (
    <>
      <p class="note">
        The marking of the run at {formatNetSeconds(time)}, after all steps of this instant. It follows the slider Time.
      </p>
      <Marking marking={marking} time={time} />
      {drawing === null ? null : (
        <Drawing drawing={drawing} counts={new Map(marking.map(({ place, count }) => [place, count]))} enabled={NONE} />
      )}
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();

interface Begun extends FollowedNet {
  readonly game?: TokenGame;
}

interface Seeded {
  readonly seed?: string;
}

/** The seed of the result that the page shows, so that its game draws the numbers of this result. */
function seedOf({ documents: [document] }: Content): Seeded {
  const { seed } = (document ?? {}) as { readonly seed?: unknown };
  return typeof seed === 'string' ? { seed } : {};
}

/** The net, and its game: that cannot begin where the initial marking breaks a rule of timed nets. */
function begun(given: NonNullable<Content['net']>, seed: Seeded): Begun {
  const followed = followedNet(given);
  if (followed.net === undefined) return followed;
  try {
    return { ...followed, game: new TokenGame(followed.net, seed) };
  } catch (error) {
    return { ...followed, why: messageOf(error) };
  }
}
