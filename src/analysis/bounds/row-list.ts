import type { Weighted } from '../petri/petri.ts';
import type { Row } from './simplex.ts';
import type { DelayTime } from './timed-net.ts';

/** Relative change of a rounded coefficient that makes its row weaker, never stronger. */
export const SLACK = 2 ** -50;

/** Rows of a linear program about variables that are not negative. */
export class RowList {
  readonly rows: Row[] = [];

  /** Terms of one variable are added up; a row without terms is left out. */
  add(terms: Iterable<Weighted>, most: number, isEquation = false): void {
    const coefficients = new Map<number, number>();
    for (const [v, c] of terms) coefficients.set(v, (coefficients.get(v) ?? 0) + c);
    for (const [v, c] of coefficients) if (c === 0) coefficients.delete(v);
    if (coefficients.size > 0) this.rows.push({ coefficients, most, isEquation });
  }

  /** A row with rounded coefficients: since variables are not negative, smaller coefficients demand less. */
  addRounded(terms: Iterable<Weighted>, most: number): void {
    const smaller = [...terms].map(([v, c]): Weighted => [v, c - SLACK * Math.abs(c)]);
    this.add(smaller, most + SLACK * Math.abs(most));
  }

  /** Little's law: tokens = flow × time. */
  little(tokens: number, flow: number, { low, high, rate }: DelayTime): void {
    if (low === high)
      return void this.add(
        [
          [tokens, rate],
          [flow, -low],
        ],
        0,
        true,
      );
    this.add(
      [
        [flow, low],
        [tokens, -rate],
      ],
      0,
    );
    this.add(
      [
        [tokens, rate],
        [flow, -high],
      ],
      0,
    );
  }
}
