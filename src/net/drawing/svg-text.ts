import { spelledOut } from '../../base/spelled-out.ts';

/** Maximum length of a drawn text and of a tooltip, in characters. */
const LONGEST = 36;
const LONGEST_ABOUT = 600;

/** A text shortened for drawing; invisible and direction-changing characters are escaped. */
export function drawn(text: string): string {
  return cut(spelledOut(text), LONGEST);
}

/** The text of a tooltip. */
export function aboutText(facts: readonly (string | undefined)[]): string {
  return cut(facts.filter((f) => f !== undefined && f !== '').join(' · '), LONGEST_ABOUT);
}

function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for XML 1.0 content or attributes; characters invalid in XML are spelled out. */
export function escaped(text: string): string {
  return spelledOut(text).replace(/[&<>"']/g, (c) => ENTITIES[c]!);
}

/**
 * Character widths of Helvetica (Adobe's font metrics) in thousandths of the font size, for printable ASCII in order.
 */
const WIDTHS: readonly number[] = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];

/** Estimated width of a line in Helvetica or a metric-compatible font, plus 6 % for other fonts. Needs no font. */
export function widthOf(text: string, size: number): number {
  let sum = 0;
  for (const c of text) {
    const code = c.codePointAt(0)!;
    // East Asian characters and emoji are about square; other letters are about as wide as Latin ones.
    sum += WIDTHS[code - 32] ?? (code >= 0x1100 ? 1000 : 650);
  }
  return (sum / 1000) * size * 1.06;
}
