import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { TokenGame } from '../../../analysis/game/token-game.ts';
import { WitnessRun } from '../../../analysis/game/witness-run.ts';
import { witnessesIn } from '../../../commands/verify/net/witnesses-in.ts';
import { netFromJson } from '../../../net/json/json.ts';
import type { Net } from '../../../net/net.ts';
import type { Content } from '../../content.ts';
import { Region } from '../../figure.tsx';
import { Game } from './game.tsx';
import { messageOf } from './message.ts';
import { Witness } from './witness.tsx';

/** Whose marking the part shows. */
type Mode = 'play' | 'witness';

const MODES: Readonly<Record<Mode, string>> = {
  play: 'Play by hand',
  witness: 'Witness',
};

/** The net: played by hand, or stepped through along a witness. */
export function NetPart({ net: given }: { readonly net: NonNullable<Content['net']> }): JSX.Element {
  const made = useMemo(() => begun(given.net), [given]);
  const witnesses = useSignal(given.witnesses);
  const mode = useSignal<Mode>(given.witnesses.length > 0 ? 'witness' : 'play');
  const problem = useSignal<string | undefined>(undefined);
  if (made.net === undefined)
    return (
      <Region name="Net">
        <p role="alert">The net cannot be played: {made.why}</p>
      </Region>
    );
  const { net, game } = made;
  const modes: readonly Mode[] = witnesses.value.length > 0 ? ['play', 'witness'] : ['play'];
  const load = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    try {
      const found = witnessesIn(JSON.parse(await file.text()), file.name);
      for (const witness of found) void new WitnessRun(net, witness);
      witnesses.value = found;
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
      {mode.value === 'witness' ? (
        <Witness net={net} drawing={given.drawing} witnesses={witnesses.value} />
      ) : (
        <Playing game={game} why={made.why} drawing={given.drawing} />
      )}
    </Region>
  );
}

/** The game, or why the net cannot be played. */
function Playing(props: {
  readonly game: TokenGame | undefined;
  readonly why: string | undefined;
  readonly drawing: NonNullable<Content['net']>['drawing'];
}): JSX.Element {
  const { game, why, drawing } = props;
  if (game === undefined) return <p role="alert">The net cannot be played: {why}</p>;
  return <Game game={game} drawing={drawing} />;
}

interface Begun {
  readonly net?: Net;
  readonly game?: TokenGame;
  readonly why?: string;
}

/** The net, and its game: that cannot begin where the initial marking breaks a rule of timed nets. */
function begun(given: unknown): Begun {
  let net: Net;
  try {
    net = netFromJson(JSON.stringify(given), 'net');
  } catch (error) {
    return { why: messageOf(error) };
  }
  try {
    return { net, game: new TokenGame(net) };
  } catch (error) {
    return { net, why: messageOf(error) };
  }
}
