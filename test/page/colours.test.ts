import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NODE_STATES } from '../../src/analysis/efficiency/node-states.ts';
import { type Colour, CURVES, PALETTES } from '../../src/page/draw/colours.ts';

/** A component of sRGB as a share of light (IEC 61966-2-1). */
const linear = (component: number): number => {
  const share = component / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const luminance = (colour: Colour): number =>
  [0.2126, 0.7152, 0.0722].reduce((sum, weight, k) => sum + weight * linear(colour[k]!), 0);
/** Contrast ratio of WCAG 2.2. */
const contrast = (a: Colour, b: Colour): number => {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright! + 0.05) / (dark! + 0.05);
};

type Triple = readonly [number, number, number];
const times = (matrix: readonly Triple[], v: Triple): Triple =>
  matrix.map((row) => row.reduce((sum, entry, k) => sum + entry * v[k]!, 0)) as unknown as Triple;

/** Colours as seen without red, green or blue cones: linear sRGB (Machado, Oliveira and Fernandes 2009, severity 1). */
const VISION: Readonly<Record<string, readonly Triple[]>> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** CIE L*a*b* with white D65. */
function lab(rgb: Triple): Triple {
  const xyz = times(
    [
      [0.4124, 0.3576, 0.1805],
      [0.2126, 0.7152, 0.0722],
      [0.0193, 0.1192, 0.9505],
    ],
    rgb,
  );
  const [x, y, z] = xyz.map((value, k) => {
    const share = Math.max(0, value) / [0.9505, 1, 1.089][k]!;
    return share > 216 / 24389 ? Math.cbrt(share) : (24389 / 27 / 116) * share + 16 / 116;
  }) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const seen = (colour: Colour, cones: string): Triple =>
  lab(times(VISION[cones]!, colour.map(linear) as unknown as Triple));
const distance = (a: Triple, b: Triple): number => Math.hypot(...a.map((value, k) => value - b[k]!));
const hex = (text: string): Colour =>
  [1, 3, 5].map((k) => Number.parseInt(text.slice(k, k + 2), 16)) as unknown as Colour;

describe.each(['light', 'dark'] as const)('colours of drawings on %s ground', (scheme) => {
  const { ground, states, message } = PALETTES[scheme];
  const busy = NODE_STATES.filter((state) => state !== 'idle');

  it('are those for the paper of the page', () => {
    const [, ...paper] = /--paper: light-dark\((#\w{6}), (#\w{6})\)/.exec(readFileSync('src/page/page.css', 'utf8'))!;
    expect(hex(paper[scheme === 'light' ? 0 : 1]!)).toEqual(ground);
  });

  it.each([
    ...busy.map((state) => [state, states[state]] as const),
    ['message', message] as const,
    ...CURVES.map((curve) => [curve, hex(curve)] as const),
  ])('have a contrast of 3 : 1 for %s', (_, colour) => {
    expect(contrast(colour, ground)).toBeGreaterThanOrEqual(3);
  });

  it('make idle the faintest state, but not invisible', () => {
    const idle = contrast(states.idle, ground);
    for (const state of busy) expect(contrast(states[state], ground)).toBeGreaterThan(2 * idle);
    expect(idle).toBeGreaterThan(1.3);
  });

  it('differ in lightness, for print', () => {
    const values = NODE_STATES.map((state) => seen(states[state], 'all cones')[0]).sort((a, b) => a - b);
    for (let k = 1; k < values.length; k++) expect(values[k]! - values[k - 1]!).toBeGreaterThanOrEqual(15);
  });

  it.each(Object.keys(VISION))('differ for readers with %s', (cones) => {
    NODE_STATES.forEach((a, k) => {
      for (const b of NODE_STATES.slice(k + 1))
        expect(distance(seen(states[a], cones), seen(states[b], cones)), `${a} and ${b}`).toBeGreaterThan(20);
    });
  });
});
