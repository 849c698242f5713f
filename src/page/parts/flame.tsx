import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { formatSeconds, formatShare } from '../../report/units.ts';
import { useWidth } from '../figure.tsx';
import { metricValue, type PathNode } from '../record/path-tree.ts';

/** Height of a level, and levels that are drawn. */
const LEVEL = 22;
const MAX_LEVELS = 20;
/** Parts below this width are left out, in CSS pixels. */
const LEAST = 0.5;
/** Mean width of a character, in CSS pixels. */
const CHARACTER = 7;

const TIME = { key: 'executionTime', name: '', unit: 's' };

interface Box {
  readonly node: PathNode;
  readonly x: number;
  readonly width: number;
  readonly level: number;
  readonly seconds: number;
  /** Share of the time that is lost. */
  readonly lost: number;
}

/**
 * A flame graph of the intervals, the program above: widths are times in all processes, colours the share that is lost. Below the
 * chosen interval it fills the width. O(intervals).
 */
export function Flame({
  root,
  chosen,
}: {
  readonly root: PathNode;
  readonly chosen: Signal<string>;
}): JSX.Element | null {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const boxes = boxesOf(root, chosen.value, width.value);
  const levels = boxes.reduce((most, { level }) => Math.max(most, level + 1), 1);
  return (
    <div ref={box}>
      <svg
        class="flame"
        width={width.value}
        height={levels * LEVEL}
        viewBox={`0 0 ${width.value} ${levels * LEVEL}`}
        role="img"
        aria-label="Flame graph of the intervals: the table Call paths selects the same ones, and has their numbers"
      >
        {boxes.map(({ node, x, width: wide, level, seconds, lost }) => (
          // biome-ignore lint/a11y: a shortcut for the mouse, the buttons of the table Call paths do the same
          <g
            key={node.key}
            onClick={() => {
              chosen.value = node.key;
            }}
          >
            <title>
              {node.key === '' ? node.name : node.key}: {formatSeconds(seconds)}, {formatShare(lost)} lost
            </title>
            <rect
              x={x}
              y={level * LEVEL}
              width={Math.max(LEAST, wide - 1)}
              height={LEVEL - 1}
              fill={`hsl(${Math.round(120 * (1 - Math.min(1, Math.max(0, lost))))} 50% 75%)`}
              class={node.key === chosen.value ? 'chosen' : undefined}
            />
            {wide < 4 * CHARACTER ? null : (
              <text x={x + 4} y={level * LEVEL + LEVEL / 2}>
                {cut(node.name, Math.floor((wide - 8) / CHARACTER))}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

const secondsOf = (node: PathNode): number => metricValue(node, TIME) ?? 0;

function boxesOf(root: PathNode, chosen: string, width: number): Box[] {
  const boxes: Box[] = [];
  const draw = (node: PathNode, x: number, wide: number, level: number): void => {
    if (wide < LEAST || level === MAX_LEVELS) return;
    const seconds = secondsOf(node);
    const lost = seconds > 0 ? (node.section?.figures.lostTime.value ?? 0) / seconds : 0;
    boxes.push({ node, x, width: wide, level, seconds, lost });
    const inner = node.children.filter(({ section }) => section !== undefined);
    const path = inner.find(
      ({ key }) => chosen === key || chosen.startsWith(`${key}/`) || chosen.startsWith(`${key}:`),
    );
    if (path !== undefined) {
      // Intervals that enclose the chosen one have its width.
      draw(path, x, wide, level + 1);
      return;
    }
    const sum = Math.max(
      seconds,
      inner.reduce((all, child) => all + secondsOf(child), 0),
    );
    let at = x;
    for (const child of inner) {
      const part = sum > 0 ? (secondsOf(child) / sum) * wide : 0;
      draw(child, at, part, level + 1);
      at += part;
    }
  };
  draw(root, 0, width, 0);
  return boxes;
}
