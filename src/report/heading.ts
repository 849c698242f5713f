import type { Style } from './style.ts';
import { clipped } from './text.ts';

/** The first line of a section: title and a short description. */
export function heading(title: string, rest: string, style: Style): string {
  return style.bold(title) + clipped(rest, style.width - title.length, style.more);
}
