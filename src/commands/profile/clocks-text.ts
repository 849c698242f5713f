import { counted, formatCount, formatSeconds, withoutRounding } from '../../report/units.ts';
import type { ProfileDocument } from './profile-document.ts';

/**
 * The corrections of the clocks of a recorded run: `Shifts from 0 s (process 0) to 500.0 ms (process 1); residual 0 s. 1 message received
 * before sent, 0 after alignment.` Undefined if the clocks are as recorded.
 */
export function clocksText({ clocks, figures }: Pick<ProfileDocument, 'clocks' | 'figures'>): string | undefined {
  if (clocks === undefined) return undefined;
  const { shifts, residual, skewedMessages } = clocks;
  const exact = (seconds: number): number => withoutRounding(seconds, figures.executionTime.value);
  const least = shifts.reduce((a, shift, p) => (shift < shifts[a]! ? p : a), 0);
  const most = shifts.reduce((a, shift, p) => (shift > shifts[a]! ? p : a), 0);
  const shift = (process: number): string => {
    const value = exact(shifts[process] ?? 0);
    return `${value < 0 ? '-' : ''}${formatSeconds(Math.abs(value))} (process ${process})`;
  };
  return (
    `Shifts from ${shift(least)} to ${shift(most)}; residual ${formatSeconds(exact(residual.value))}. ` +
    `${counted(skewedMessages.before, 'message')} received before sent, ${formatCount(skewedMessages.after)} after alignment` +
    `${skewedMessages.after > 0 ? ': these count as received when they are sent' : ''}.`
  );
}
