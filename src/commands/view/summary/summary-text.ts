import { type Style, styleOf, type ViewOptions } from '../../../report/style.ts';
import { clipped, padEnd, printable, prose } from '../../../report/text.ts';
import { figureName, figureText } from '../../../report/units.ts';
import type { Sentence, ShownFigure, Summary } from './findings.ts';

const textOf = ({ name, value, unit, like }: ShownFigure): string => figureText(value, unit, like ?? figureName(name));

/** The first screen of a page as text for a terminal. */
export function summaryText(title: string, summary: Summary, options: ViewOptions): string {
  const style = styleOf(options);
  const facts = summary.facts.flatMap(([, of]) => of());
  const width = Math.max(0, ...facts.map(({ term }) => term.length));
  const sections = [
    [style.bold(clipped(printable(title, style.unicode), style.width, style.more))],
    facts.map(({ term, figures }) => `${padEnd(term, width)}  ${style.bold(figures.map(textOf).join(' / '))}`),
    summary.statements().flatMap(({ sentence }) => lines(sentenceText(sentence), style)),
    summary
      .findings()
      .flatMap(({ question, answer }) => lines(question === undefined ? answer : `${question} ${answer}`, style)),
    summary
      .warned()
      .flatMap(({ text, items }) => [...lines(text, style), ...items.flatMap((item) => lines(item, style, '  '))]),
    summary.notes.flatMap((note) => lines(`Note: ${note}`, style)),
  ];
  const text = `${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')}\n`;
  return style.amounts(text);
}

export const sentenceText = (sentence: Sentence): string =>
  sentence.map((part) => (typeof part === 'string' ? part : textOf(part))).join('');

const lines = (text: string, style: Style, indent = ''): string[] =>
  prose(printable(text, style.unicode), style.width - indent.length).map((line) => indent + line);
