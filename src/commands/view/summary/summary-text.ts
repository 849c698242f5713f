import { type Style, styleOf, type ViewOptions } from '../../../report/style.ts';
import { clipped, displayWidth, padEnd, printable, prose } from '../../../report/text.ts';
import { figureName, figureText } from '../../../report/units.ts';
import type { Sentence, ShownFigure, Summary } from './findings.ts';

const textOf = ({ name, value, unit, like }: ShownFigure): string => figureText(value, unit, like ?? figureName(name));

/** Lines of a statement that are printed: names can be of any length. */
const MAX_LINES = 8;

/** The first screen of a page as text for a terminal. */
export function summaryText(title: string, summary: Summary, options: ViewOptions): string {
  const style = styleOf(options);
  const facts = summary.facts
    .flatMap(([, of]) => of())
    .map(({ term, figures }) => ({
      term: clipped(printable(term, style.unicode), Math.floor(style.width / 2), style.more),
      figures,
    }));
  const width = Math.max(0, ...facts.map(({ term }) => displayWidth(term)));
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

function lines(text: string, style: Style, indent = ''): string[] {
  const width = style.width - indent.length;
  // A name that is longer than a line hides what is said of it.
  const words = printable(text, style.unicode)
    .split(' ')
    .map((word) => (displayWidth(word) > width ? clipped(word, Math.floor(width / 2), style.more) : word));
  const all = prose(words.join(' '), width);
  const last = all[MAX_LINES - 1];
  const shown =
    all.length <= MAX_LINES
      ? all
      : [...all.slice(0, MAX_LINES - 1), clipped(last!, width - displayWidth(style.more), '') + style.more];
  return shown.map((line) => indent + line);
}
