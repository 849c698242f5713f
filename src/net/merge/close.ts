import type { Problem } from '../../base/problem.ts';
import { didYouMean, InputError } from '../../base/problem.ts';
import { assertIs } from '../members.ts';
import type { Net, Transition } from '../net.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { labelsOf, unknownName } from './rename.ts';

/**
 * Removes the given labels: their transitions become internal and no longer combine. O(size of the net).
 *
 * @throws InputError NET075 for an unknown label; NET037, NET040 if an argument is not a net or not a list
 */
export function hide(net: Net, labels: readonly string[]): Net {
  assertNet(net);
  assertIs('hide', 'labels', labels, 'a list of strings', `hide(net, ['sync'])`);
  const known = new Set(labelsOf(net));
  const unknown = labels.filter((label) => !known.has(label));
  if (unknown.length > 0) throw new InputError(unknown.map((label) => unknownName('label', label, known)));
  const hidden = new Set(labels);
  return { ...net, transitions: net.transitions.map((t) => (hidden.has(t.label?.name ?? '') ? internal(t) : t)) };
}

/**
 * Closes a merged net: removes all labels. Each label must have found a partner, i.e. its transitions come from two or
 * more modules. O(size of the net).
 *
 * @throws InputError NET074 for every label without a partner, with its transitions; NET037 if the value is not a net
 */
export function close(net: Net): Net {
  assertNet(net);
  const alone = new Map<string, Transition[]>();
  for (const t of net.transitions) {
    if (t.label === undefined || modulesOf(t, net).length >= 2) continue;
    const offering = alone.get(t.label.name);
    if (offering === undefined) alone.set(t.label.name, [t]);
    else offering.push(t);
  }
  const problems = [...alone.keys()].sort().map(
    (label): Problem => ({
      code: 'NET074',
      message: lonely(net, label, alone.get(label)!),
      place: { part: `label ${label}` },
    }),
  );
  if (problems.length > 0) throw new InputError(problems);
  return { ...net, transitions: net.transitions.map(internal) };
}

function lonely(net: Net, label: string, transitions: readonly Transition[]): string {
  const names = transitions.map((t) => `"${t.name}"`).join(', ');
  const modules = [...new Set(transitions.flatMap((t) => modulesOf(t, net)))].sort();
  const others = net.transitions.filter((t) => modulesOf(t, net).some((m) => !modules.includes(m)));
  const offered = [...new Set(others.flatMap((t) => t.label?.name ?? []))].filter((other) => other !== label).sort();
  const by = modules.length === 0 ? '' : ` of ${modules.join(', ')}`;
  return `${names}${by} ${transitions.length === 1 ? 'has' : 'have'} no partner in another module.${didYouMean(label, offered)}`;
}

function modulesOf(t: Transition, net: Net): readonly string[] {
  return t.modules ?? (net.name === '' ? [] : [net.name]);
}

function internal({ label, ...rest }: Transition): Transition {
  return rest;
}
