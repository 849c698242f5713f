import { csvCell } from '../../base/csv.ts';
import { fail } from '../../base/problem.ts';
import type { Expression } from '../expression.ts';
import type { Net } from '../net.ts';
import { TextTerms } from '../text/text-terms.ts';
import { assertNet } from '../validation/validate-shape.ts';
import { type IncidenceEntry, type InscribedTokens, incidence } from './incidence.ts';

/** Maximum number of cells. */
const MAX_CELLS = 1e7;

/**
 * The incidence matrix as CSV (RFC 4180, but with line feeds): one row for each place, one column for each transition.
 * A cell is the change, e.g. `(y) − (x)`; for places without columns it is a number. Empty: no arc; 0: equal amounts
 * are taken and put. Arcs without effect on the change follow it: `reads (x)`, `inhibits 2 × (x)`, `resets`. For an
 * unfolded net this is the integer matrix.
 *
 * Names that a spreadsheet would read as formulas are prefixed with `'`; control characters are spelled out.
 *
 * @throws InputError INC001 for more than 10⁷ cells; NET037 if the value is not a net
 */
export function incidenceToCsv(net: Net): string {
  assertNet(net);
  const cells = net.places.length * net.transitions.length;
  if (cells > MAX_CELLS)
    fail(
      'INC001',
      `a matrix of ${net.places.length} places × ${net.transitions.length} transitions has ${cells} cells; the limit is ${MAX_CELLS}. Write the net as .json instead.`,
      { part: `net ${net.name}` },
    );
  const { places, transitions, entries } = incidence(net);
  const terms = new TextTerms(net);
  const columnOf = new Map(transitions.map((t, k) => [t, k]));
  const rows = new Map(places.map((p) => [p, transitions.map(() => '')]));
  for (const e of entries) rows.get(e.place)![columnOf.get(e.transition)!] = cellText(e, terms);
  const lines = [['place', ...transitions], ...[...rows].map(([place, row]) => [place, ...row])];
  return `${lines.map((line) => line.map(csvCell).join(',')).join('\n')}\n`;
}

function cellText(entry: IncidenceEntry, terms: TextTerms): string {
  const parts: string[] = [];
  if (entry.pre.length + entry.post.length > 0) parts.push(changeText(entry.change, terms));
  for (const { kind, text, count } of entry.tests) {
    const number = kind === 'reset' ? '' : amount(count, text, terms);
    parts.push(`${kind}s${number === '' ? '' : ` ${number}`}${text === '' ? '' : ` ${text}`}`);
  }
  return parts.join('; ');
}

function changeText(change: readonly InscribedTokens[], terms: TextTerms): string {
  if (change.length === 0) return '0';
  const [only] = change;
  if (change.length === 1 && only!.text === '' && only!.count.op === 'const') return String(only!.count.value);
  return change
    .map(({ text, count }, k) => {
      const minus = count.op === 'neg' || (count.op === 'const' && count.value < 0);
      const size: Expression =
        count.op === 'const' ? { op: 'const', value: Math.abs(count.value) } : count.op === 'neg' ? count.a : count;
      const number = amount(size, text, terms);
      const sign = k === 0 ? (minus ? '−' : '') : minus ? ' − ' : ' + ';
      return `${sign}${number}${number === '' || text === '' ? '' : ' '}${text}`;
    })
    .join('');
}

/** `2 ×`, `(n + 1) ×`; '' for one token; no multiplication sign if no colour follows. */
function amount(count: Expression, text: string, terms: TextTerms): string {
  const times = text === '' ? '' : ' ×';
  if (count.op !== 'const') return `(${terms.expression(count)})${times}`;
  return count.value === 1 && text !== '' ? '' : `${count.value}${times}`;
}
