import type { Expression } from '../expression.ts';
import { ARC_KINDS, CLOCKS, TIMINGS, TRANSITION_KINDS } from '../kinds.ts';
import type { InputArc, Label, OutputArc, Transition } from '../net.ts';
import { readDelay } from './json-read-delay.ts';
import { type PartsReader, present } from './json-read-parts.ts';

export function readTransition(parts: PartsReader): Transition | undefined {
  const { cursor: c } = parts;
  const expression = (): Expression => parts.expression();
  const m = c.members(
    {
      name: () => c.string(),
      kind: () => c.oneOf(TRANSITION_KINDS),
      process: expression,
      inputs: () => parts.items(() => readInput(parts)),
      free: () => parts.fields(),
      guard: expression,
      priority: () => c.integer(),
      weight: expression,
      delay: () => readDelay(parts),
      timing: () => c.oneOf(TIMINGS),
      servers: () => c.oneOf(CLOCKS),
      outputs: () => parts.items(() => readOutput(parts)),
      label: () => readLabel(parts),
      modules: () => parts.strings(),
    },
    ['name', 'inputs', 'outputs'],
  );
  if (m === undefined) return undefined;
  const { name = '', inputs = [], outputs = [], ...others } = m;
  return present({ name, inputs, outputs, ...others });
}

function readInput(parts: PartsReader): InputArc | undefined {
  const { cursor: c } = parts;
  const m = c.members(
    {
      kind: () => c.oneOf(ARC_KINDS),
      place: () => c.string(),
      pattern: () => parts.byName(() => parts.expressions.read()),
      count: () => c.integer(),
    },
    ['kind', 'place'],
  );
  if (m === undefined) return undefined;
  const { kind = 'take', place = '', pattern = {}, count = 1 } = m;
  return { kind, place, pattern, count };
}

function readOutput(parts: PartsReader): OutputArc | undefined {
  const { cursor: c } = parts;
  const m = c.members(
    {
      place: () => c.string(),
      values: () => parts.byName(() => parts.expressions.read()),
      count: () => parts.expressions.read(),
    },
    ['place'],
  );
  if (m === undefined) return undefined;
  const { place = '', values = {}, count = { op: 'const', value: 1 } } = m;
  return { place, values, count };
}

function readLabel(parts: PartsReader): Label | undefined {
  const { cursor: c } = parts;
  const m = c.members({ name: () => c.string(), exports: () => parts.byName(() => c.string() ?? '') }, ['name']);
  return m && { name: m.name ?? '', exports: m.exports ?? {} };
}
