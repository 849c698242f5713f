import { dataOfSaved } from '../../src/base/saved-bytes.ts';

/** Decodes saved bytes. */
export function savedState(bytes: Uint8Array): unknown {
  const { game, ...rest } = dataOfSaved(bytes) as { game: Uint8Array };
  return { ...rest, game: dataOfSaved(game) };
}
