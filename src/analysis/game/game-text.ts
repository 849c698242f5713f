import { fail, quote, shown } from '../../base/problem.ts';

/**
 * A move of a player, as it is kept to be made again. A binding is known by its position among the enabled ones, a place by its
 * number: the text of a game names its net.
 */
export type Move =
  | { readonly kind: 'fire'; readonly at: number }
  | { readonly kind: 'random' }
  | { readonly kind: 'back' }
  | { readonly kind: 'keep'; readonly name: string }
  | { readonly kind: 'return'; readonly name: string }
  | { readonly kind: 'set'; readonly place: number; readonly tokens: SetTokens };

/** A number of tokens without colours, or the values of each token. */
export type SetTokens = number | readonly (readonly number[])[];

/** The moves of a game, the net and seed that they belong to, and the state that they lead to, both as hashes. */
export interface GameText {
  readonly net: string;
  readonly moves: readonly Move[];
  readonly state: string;
}

/** Moves up to which a game is written and read: making them again takes a page seconds. */
export const MAX_MOVES = 100_000;
/** Length up to which a game is written and read: browsers cut addresses of more than two million characters. */
const MAX_LENGTH = 100_000;
const VERSION = '1';

/**
 * A game as text for an address: version, hash of net and seed, moves, hash of the state, apart by `~`. Equal neighbours are counted.
 *
 *     1~9f0a11c2~f0.r12.k:start.s3:2~77d2b04e
 *
 * @returns undefined where the game is too long
 */
export function gameText({ net, moves, state }: GameText): string | undefined {
  if (moves.length > MAX_MOVES) return undefined;
  const words: string[] = [];
  for (let k = 0; k < moves.length; ) {
    const { kind } = moves[k]!;
    let count = 1;
    if (kind === 'random' || kind === 'back') while (moves[k + count]?.kind === kind) count++;
    words.push(wordOf(moves[k]!, count));
    k += count;
  }
  const text = [VERSION, net, words.join('.'), state].join('~');
  return text.length > MAX_LENGTH ? undefined : text;
}

function wordOf(move: Move, count: number): string {
  switch (move.kind) {
    case 'fire':
      return `f${move.at}`;
    case 'random':
      return `r${count}`;
    case 'back':
      return `b${count}`;
    case 'keep':
      return `k:${escaped(move.name)}`;
    case 'return':
      return `g:${escaped(move.name)}`;
    case 'set':
      return typeof move.tokens === 'number'
        ? `s${move.place}:${move.tokens}`
        : `s${move.place}:${move.tokens.map((values) => values.join(',')).join(';')};`;
  }
}

/** Characters that part the words of a game, and those that an address cannot have. */
const escaped = (name: string): string =>
  encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
    .replaceAll('.', '%2E')
    .replaceAll('~', '%7E');

/** @throws InputError GAME006 a text that no game has */
export function readGameText(text: string): GameText {
  if (text.length > MAX_LENGTH) refuse(`has ${text.length} characters: expected at most ${MAX_LENGTH}`);
  const [version, net, words, state, ...rest] = text.split('~');
  if (version !== VERSION) refuse(`begins with ${shown(version)}: expected version ${VERSION}`);
  if (net === undefined || words === undefined || state === undefined || rest.length > 0)
    refuse(`is cut: expected four parts, apart by "~", got ${text.split('~').length}`);
  const moves: Move[] = [];
  for (const [k, word] of (words === '' ? [] : words.split('.')).entries()) {
    const read = moveOf(word);
    if (read === undefined)
      refuse(`move ${k + 1}: expected f, r, b or s with a number, or k: or g: with a name, got ${quote(word)}`);
    const { move, count } = read;
    if (moves.length + count > MAX_MOVES) refuse(`has more than ${MAX_MOVES} moves`);
    for (let n = 0; n < count; n++) moves.push(move);
  }
  return { net, moves, state };
}

/** Tokens without colours that a word sets at most, as in the page. */
const MAX_SET = 1_000_000;

function moveOf(word: string): { readonly move: Move; readonly count: number } | undefined {
  const [, kind, number, colon, text] = /^([frbkgs])(\d{0,9})(:?)(.*)$/s.exec(word) ?? [];
  if (kind === undefined) return undefined;
  const at = number === '' ? Number.NaN : Number(number);
  if (kind === 'k' || kind === 'g') {
    const name = colon === ':' && number === '' ? unescaped(text!) : undefined;
    return name === undefined ? undefined : { move: { kind: kind === 'k' ? 'keep' : 'return', name }, count: 1 };
  }
  if (Number.isNaN(at)) return undefined;
  if (kind === 's') {
    const tokens = colon === ':' ? tokensOf(text!) : undefined;
    return tokens === undefined ? undefined : { move: { kind: 'set', place: at, tokens }, count: 1 };
  }
  if (colon !== '' || text !== '') return undefined;
  if (kind === 'f') return { move: { kind: 'fire', at }, count: 1 };
  return at < 1 ? undefined : { move: { kind: kind === 'r' ? 'random' : 'back' }, count: at };
}

function tokensOf(text: string): SetTokens | undefined {
  if (/^\d{1,7}$/.test(text)) {
    const count = Number(text);
    return count > MAX_SET ? undefined : count;
  }
  if (!/^(-?\d{1,16}(,-?\d{1,16})*;)+$/.test(text)) return undefined;
  return text
    .slice(0, -1)
    .split(';')
    .map((values) => values.split(',').map(Number));
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Refuses the text of a game. */
export function refuse(why: string): never {
  fail('GAME006', `the game cannot be continued: it ${why}`);
}

/** FNV-1a (Fowler, Noll, Vo) of 32 bits over UTF-16 code units, as eight hexadecimal digits: distinguishes games, without protection against forgery. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
