import { columnsOf } from '../../net/colour.ts';
import type { Net } from '../../net/net.ts';
import { shownName, TextTerms } from '../../net/text/text-terms.ts';
import type { MarkedTokens, MarkingView, Step } from './state-space.ts';

/** Equal tokens of a marking, formatted. */
export interface ShownTokens {
  /** The place. */
  readonly place: string;
  /** Colour as `(red, 3)`; empty for a token without colour. */
  readonly token: string;
  /** Number of equal tokens. */
  readonly count: number;
  /** Present if the tokens are still in service. */
  readonly inService?: true;
}

/** Firings in progress, formatted. */
export interface ShownFirings {
  /** The transition. */
  readonly transition: string;
  /** Variable values as `x 3, y red`; empty without variables. */
  readonly binding: string;
  /** Number of firings with this binding. */
  readonly count: number;
}

/** Formats markings and steps of a net for people; colour values are shown by name. */
export class MarkingTokens {
  readonly #net: Net;
  readonly #terms: TextTerms;
  readonly #coloured: readonly boolean[];

  constructor(net: Net) {
    const colours = new Map(net.colours.map((c) => [c.name, c]));
    this.#net = net;
    this.#terms = new TextTerms(net);
    this.#coloured = net.places.map((p) => columnsOf(p.fields, colours).length > 0);
  }

  tokens({ places }: MarkingView): ShownTokens[] {
    return places.flatMap(({ place, tokens }) =>
      this.#ordered(place, tokens).map(({ values, count, where }) => ({
        place: this.#net.places[place]!.name,
        token: this.#coloured[place] ? this.#terms.token(this.#net.places[place]!, values) : '',
        count,
        ...(where === 'service' ? { inService: true as const } : {}),
      })),
    );
  }

  /** Sorts the tokens of a bag by colour; ordered places keep their order. */
  #ordered(place: number, tokens: readonly MarkedTokens[]): readonly MarkedTokens[] {
    if (this.#net.places[place]!.order !== 'bag') return tokens;
    return [...tokens].sort((a, b) => {
      const k = a.values.findIndex((value, i) => value !== b.values[i]);
      return k < 0 ? Number(a.where === 'service') - Number(b.where === 'service') : a.values[k]! - b.values[k]!;
    });
  }

  busy({ busy }: MarkingView): ShownFirings[] {
    return busy.map(({ transition, binding, count }) => ({
      transition: this.#net.transitions[transition]!.name,
      binding: bindingText(binding),
      count,
    }));
  }

  /** One line for each place that holds tokens and each transition in progress: `fork (0) 2×(1)`, `buffer 3`. */
  lines(marking: MarkingView): string[] {
    const groups = new Map<string, string[]>();
    for (const { place, token, count, inService } of this.tokens(marking)) {
      const name = `${shownName(place)}${inService ? ' in service' : ''}`;
      const text = token === '' ? String(count) : `${count === 1 ? '' : `${count}×`}${token}`;
      groups.set(name, [...(groups.get(name) ?? []), text]);
    }
    return [
      ...[...groups].map(([name, texts]) => `${name} ${texts.join(' ')}`),
      ...this.busy(marking).map(({ transition, binding, count }) =>
        `busy ${shownName(transition)} ${binding === '' ? '' : `(${binding})`}${count === 1 ? '' : ` ${count}×`}`
          .replaceAll('  ', ' ')
          .trim(),
      ),
    ];
  }

  /** `produce (x 3)`, `end of work`, `buffer serves (0)`. */
  step({ kind, node, binding }: Step): string {
    const values = bindingText(binding);
    const given = values === '' ? '' : ` (${values})`;
    if (kind === 'serve') return `${shownName(this.#net.places[node]!.name)} serves${given}`;
    const name = shownName(this.#net.transitions[node]!.name);
    return `${kind === 'end' ? `end of ${name}` : name}${given}`;
  }
}

function bindingText(binding: Readonly<Record<string, number>>): string {
  return Object.entries(binding)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
