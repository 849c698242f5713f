import { dataOfSaved } from '../../src/base/saved-bytes.ts';

/** What saved bytes say. */
export function savedState(bytes: Uint8Array): unknown {
  const { game, ...rest } = dataOfSaved(bytes) as { game: Uint8Array };
  return { ...rest, game: dataOfSaved(game) };
}
