import picocolors from 'picocolors';

/** How a page is to be printed. */
export interface PageOptions {
  /** Columns that no line may pass; below 40 it counts as 40. */
  readonly width: number;
  readonly colour: boolean;
  /** False: ASCII only. */
  readonly unicode: boolean;
  /** What goes before commands that are printed to be repeated, such as `npx `; default nothing. */
  readonly runner?: string;
}

type Paint = (text: string) => string;

/** Glyphs and colours of a page. */
export interface Style {
  readonly width: number;
  readonly unicode: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly alarm: Paint;
  /** Colours and glyphs of what ranks do, in the order computing, communicating, waiting, idle, memory. */
  readonly states: readonly { readonly glyph: string; readonly paint: Paint }[];
  readonly used: Paint;
  readonly dot: string;
  readonly dash: string;
  readonly more: string;
  readonly arrow: string;
  /** A unit as it is printed: `us` becomes µs where that can be shown. */
  readonly units: (text: string) => string;
  readonly runner: string;
}

/** The style for a terminal. */
export function styleOf({ width, colour, unicode, runner = '' }: PageOptions): Style {
  const c = picocolors.createColors(colour);
  const glyphs = unicode ? ['█', '▓', '░', '·', '▞'] : ['#', '=', '-', '.', '%'];
  const paints = [c.green, c.blue, c.yellow, c.dim, c.magenta];
  return {
    width: Math.max(40, Math.floor(width)),
    unicode,
    bold: c.bold,
    dim: c.dim,
    alarm: (text) => c.bold(c.red(text)),
    states: glyphs.map((glyph, k) => ({ glyph, paint: paints[k]! })),
    used: c.cyan,
    dot: unicode ? ' · ' : ' | ',
    dash: unicode ? '–' : '-',
    more: unicode ? '…' : '..',
    arrow: unicode ? ' → ' : ' -> ',
    runner,
    units: unicode ? (text) => text.replace(/\bus\b/g, 'µs') : (text) => text,
  };
}
