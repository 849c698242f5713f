import type { NodeState } from '../../analysis/efficiency/node-states.ts';

/** Red, green, blue, from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** Colours of drawings on a ground. */
export interface Palette {
  /** The paper of the page, as its styles have it. */
  readonly ground: Colour;
  readonly states: Readonly<Record<NodeState, Colour>>;
  /** Arrows of messages, and marks of calls that were searched. */
  readonly message: Colour;
}

/**
 * Computing, overhead and waiting, and messages, have a contrast of at least 3 : 1 to the ground (WCAG 2.2, 1.4.11). Idle is the
 * faintest state: nothing happens in it. The lightness of states differs by at least 15 of 100 from each other, so that they can be told
 * apart without colours: in print, and by colour-blind users.
 */
export const PALETTES: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    ground: [255, 255, 255],
    states: { computing: [14, 118, 86], overhead: [189, 139, 0], waiting: [122, 10, 28], idle: [220, 220, 225] },
    message: [20, 71, 160],
  },
  dark: {
    ground: [22, 22, 26],
    states: { computing: [60, 195, 145], overhead: [250, 222, 90], waiting: [205, 52, 64], idle: [62, 62, 70] },
    message: [158, 203, 255],
  },
};

/** Colours of curves and bars, after Okabe & Ito (2008), with a contrast of at least 3 : 1 to light and to dark ground. */
export const CURVES = ['#0072b2', '#d55e00', '#009e73', '#c2659a', '#b07a00', '#2f8fce'] as const;

/** A colour for the canvas or a style. */
export const css = ([red, green, blue]: Colour): string => `rgb(${red} ${green} ${blue})`;
