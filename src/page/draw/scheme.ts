import { type Signal, signal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { PALETTES, type Palette } from './colours.ts';

const query = matchMedia('(prefers-color-scheme: dark)');
const isDark = signal(query.matches);
query.addEventListener('change', ({ matches }) => {
  isDark.value = matches;
});

/** True while the browser takes the page for print: paper is light, and shows rows that a reader would scroll to. */
export const isPrinted: Signal<boolean> = signal(false);

/** The colours for paper, or for the scheme of the browser; what reads them is drawn again when they change. */
export const palette = (): Palette => PALETTES[isDark.value && !isPrinted.value ? 'dark' : 'light'];

/** Drawings of the page. For print they are drawn at once: no frame follows before the browser takes the page. */
const drawings = new Set<() => void>();

function print(isBegun: boolean): void {
  isPrinted.value = isBegun;
  // The styles of print are light in every browser; until they hold, drawings read the colour of the text from those of the screen.
  document.documentElement.style.colorScheme = isBegun ? 'light' : '';
  for (const draw of drawings) draw();
}
window.addEventListener('beforeprint', () => print(true));
window.addEventListener('afterprint', () => print(false));

/**
 * Draws now, after each change of a signal, and for print. `prepare` reads the signals and returns the drawing, which is made in the
 * next frame or `rest` milliseconds after the last change; undefined: there is nothing to draw.
 */
export function useDrawing(prepare: () => (() => void) | undefined, rest?: number): void {
  const latest = useRef(prepare);
  latest.current = prepare;
  useSignalEffect(() => {
    const draw = latest.current();
    if (draw === undefined) return;
    if (rest !== undefined) {
      const timer = setTimeout(draw, rest);
      return () => clearTimeout(timer);
    }
    const frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  });
  useLayoutEffect(() => {
    const draw = (): void => latest.current()?.();
    drawings.add(draw);
    return () => {
      drawings.delete(draw);
    };
  }, []);
}
