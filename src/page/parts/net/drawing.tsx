import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Subjects } from '../../../analysis/game/shown-by.ts';
import type { NetDrawing } from '../../../net/drawing/svg.ts';
import { Scroll } from '../../figure.tsx';
import { save } from '../../save.ts';

/** The drawing of the net, with the tokens and the enabled transitions of the present marking. */
export function Drawing(props: {
  readonly drawing: NetDrawing;
  readonly counts: ReadonlyMap<string, number>;
  readonly enabled: ReadonlySet<string>;
  /** Places and transitions to point out, and the transition of the last step. */
  readonly marks?: Subjects;
  readonly last?: string | undefined;
}): JSX.Element {
  const { drawing, counts, enabled, marks, last } = props;
  const { x, y, width, height } = drawing.view;
  const source = useMemo(() => `data:image/svg+xml;base64,${base64Of(drawing.svg)}`, [drawing]);
  return (
    <>
      <Scroll name="Drawing of the net" class="drawing">
        <div class="layers">
          <img src={source} width={width} height={height} alt="Drawing of the net: the table Marking has its tokens" />
          <svg width={width} height={height} viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true">
            {Object.entries(drawing.transitions).map(([name, at]) =>
              enabled.has(name) ? <circle key={name} class="enabled" cx={at.x} cy={at.y} r="16" /> : null,
            )}
            {Object.entries({ ...drawing.transitions, ...drawing.places }).map(([name, at]) =>
              marks?.places.has(name) === true || marks?.transitions.has(name) === true ? (
                <circle key={`mark ${name}`} class="pointed" cx={at.x} cy={at.y} r="24" />
              ) : null,
            )}
            {last === undefined || drawing.transitions[last] === undefined ? null : (
              <circle class="last" cx={drawing.transitions[last]!.x} cy={drawing.transitions[last]!.y} r="20" />
            )}
            {Object.entries(drawing.places).map(([name, at]) => {
              const count = counts.get(name) ?? 0;
              return count === 0 ? null : (
                <g key={name}>
                  <circle class="marked" cx={at.x} cy={at.y} r="9" />
                  <text class="count" x={at.x} y={at.y}>
                    {count}
                  </text>
                </g>
              );
            })}
          </svg>
        </div>
      </Scroll>
      <button type="button" onClick={() => save('net.svg', 'image/svg+xml', drawing.svg)}>
        Save SVG
      </button>
    </>
  );
}

function base64Of(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
