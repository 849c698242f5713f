import picocolors from 'picocolors';

/** Options for terminal output. */
export interface ViewOptions {
  /** Maximum line width in columns; values below 40 count as 40. */
  readonly width: number;
  readonly colour: boolean;
  /** False: ASCII only. */
  readonly unicode: boolean;
  /** Prefix of printed commands that the user may repeat, such as `npx `; default empty. */
  readonly runner?: string;
}

type Paint = (text: string) => string;

/** Glyphs and colours of terminal output. */
export interface Style {
  readonly width: number;
  readonly unicode: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly alarm: Paint;
  /** Colours and glyphs of rank states, in the order computing, communicating, waiting, idle, memory. */
  readonly states: readonly { readonly glyph: string; readonly paint: Paint }[];
  readonly used: Paint;
  readonly dot: string;
  readonly dash: string;
  readonly more: string;
  readonly arrow: string;
  /** Formats units: `us` becomes µs if the terminal supports it. */
  readonly units: (text: string) => string;
  /** As `units`, in a whole page: only after numbers, because names can be `us`. */
  readonly amounts: (text: string) => string;
  readonly runner: string;
}

/** The style for a terminal. */
export function styleOf({ width, colour, unicode, runner = '' }: ViewOptions): Style {
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
    amounts: unicode ? (text) => text.replace(/(?<=\d )us\b/g, 'µs') : (text) => text,
  };
}
