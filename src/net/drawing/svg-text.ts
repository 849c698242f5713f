/** Longest text in a drawing, and longest one for whoever points at something, in characters. */
const LONGEST = 36;
const LONGEST_ABOUT = 600;

/**
 * A text that is not too long to be drawn; what is invisible in it, or may turn the direction of writing, is spelt out.
 */
export function drawn(text: string): string {
  return cut(visible(text), LONGEST);
}

/** What is shown to whoever points at something. */
export function aboutText(facts: readonly (string | undefined)[]): string {
  return cut(facts.filter((f) => f !== undefined && f !== '').join(' · '), LONGEST_ABOUT);
}

function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as content or attribute of XML 1.0: what XML cannot hold is spelt out. */
export function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (c) => ENTITIES[c]!);
}

/**
 * Widths of Helvetica (Adobe's font metrics), in thousandths of the size: by the first to the last printable ASCII
 * character.
 */
const WIDTHS: readonly number[] = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];

/**
 * How wide a line is in Helvetica, or a font of the same metrics, with some room for others. Without any font at hand.
 */
export function widthOf(text: string, size: number): number {
  let sum = 0;
  for (const c of text) {
    const code = c.codePointAt(0)!;
    // East Asian writing and pictures are as wide as high; other letters are about as wide as Latin ones.
    sum += WIDTHS[code - 32] ?? (code >= 0x1100 ? 1000 : 650);
  }
  return (sum / 1000) * size * 1.06;
}
