import type { JSX } from 'preact';
import type { ProfiledCall } from '../../commands/profile/profile-document.ts';
import { figureText } from '../../report/units.ts';
import { CURVES } from '../draw/colours.ts';

/** Bars that are drawn; the table has all calls. */
const MAX_BARS = 20;
/** Sizes in CSS pixels: the longest bar, a row, and the names on the left. */
const WIDTH = 360;
const ROW = 24;
const NAMES = 200;
/** Characters of a name that fit. */
const MAX_NAME = 26;

/** Time by call as bars, the longest first; the dark part is the time blocked. */
export function CallBars({ calls }: { readonly calls: readonly ProfiledCall[] }): JSX.Element | null {
  const rows = [...calls].sort((a, b) => b.seconds - a.seconds).slice(0, MAX_BARS);
  const most = rows[0]?.seconds ?? 0;
  if (!(most > 0)) return null;
  const wide = (seconds: number): number => (Math.max(0, Math.min(seconds, most)) / most) * WIDTH;
  return (
    <>
      <svg
        class="bars"
        width={NAMES + WIDTH + 120}
        height={rows.length * ROW}
        viewBox={`0 0 ${NAMES + WIDTH + 120} ${rows.length * ROW}`}
        role="img"
        aria-label="Time by call as bars, the time blocked as their dark part; the table Time by call has their numbers"
      >
        {rows.map(({ call, seconds, blocked }, k) => (
          <g key={call}>
            <title>
              {call}: {figureText(seconds, 's', 'seconds')}, {figureText(blocked, 's', 'blocked')} blocked
            </title>
            <text x="0" y={k * ROW + ROW / 2}>
              {call.length > MAX_NAME ? `${call.slice(0, MAX_NAME - 1)}…` : call}
            </text>
            <rect x={NAMES} y={k * ROW + 4} width={wide(seconds)} height={ROW - 8} fill={CURVES[0]} opacity="0.5" />
            <rect x={NAMES} y={k * ROW + 4} width={wide(blocked)} height={ROW - 8} fill={CURVES[0]} />
            <text x={NAMES + wide(seconds) + 6} y={k * ROW + ROW / 2}>
              {figureText(seconds, 's', 'seconds')}
            </text>
          </g>
        ))}
      </svg>
      <p class="note">The dark part of a bar is the time blocked.</p>
      {calls.length > MAX_BARS ? <p class="note">The {MAX_BARS} calls with the most time are drawn.</p> : null}
    </>
  );
}
