import type { Firing, Numbers, Step, StepGraph } from './state-space.ts';

/** Array for `length` numbers below `below`. */
export function numbersBelow(below: number, length: number): Numbers {
  if (below <= 2 ** 8) return new Uint8Array(length);
  return below <= 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length);
}

/** States between two calls of `stop`. */
const CHECK_EVERY = 1024;

/** The graph from the firings of every state, whose bindings are compared by value. */
export function stepGraphOf(
  { states, edges }: { readonly states: number; readonly edges: number },
  firings: (state: number) => readonly Firing[],
  stop: () => boolean = () => false,
): StepGraph | undefined {
  const start = new Uint32Array(states + 1);
  const target = new Int32Array(edges);
  const step = new Uint32Array(edges);
  const steps: Step[] = [];
  const numbers = new Map<string, number>();
  let at = 0;
  for (let state = 0; state < states; state++) {
    if (state % CHECK_EVERY === 0 && stop()) return undefined;
    for (const { kind, node, binding, target: to } of firings(state)) {
      const key = `${kind} ${node} ${Object.values(binding).join()}`;
      let number = numbers.get(key);
      if (number === undefined) {
        number = steps.length;
        numbers.set(key, number);
        steps.push({ kind, node, binding });
      }
      target[at] = to;
      step[at++] = number;
    }
    start[state + 1] = at;
  }
  return { states, edges: at, start, target, step, steps };
}
