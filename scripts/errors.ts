import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CODE_AREAS, type CodeArea, type CodeEntry } from '../src/base/codes.ts';
import { messageTexts } from './message-texts.ts';

/* `npx tsx scripts/errors.ts` writes docs/errors.md from src/base/codes.ts. */

/** A code and its entry. */
export type ListedCode = CodeEntry & { readonly code: string };

/** The codes of a subject, in order. */
export const codesOf = (area: keyof typeof CODE_AREAS): ListedCode[] => entries(CODE_AREAS[area]);

function entries({ codes }: CodeArea): ListedCode[] {
  return Object.entries(codes).map(([code, entry]) => ({ code, ...entry }));
}

/** All codes by subject. */
export const AREAS: readonly { readonly title: string; readonly example: string; readonly codes: ListedCode[] }[] =
  Object.values(CODE_AREAS).map((area) => ({ title: area.title, example: area.example, codes: entries(area) }));

/** The text of docs/errors.md. */
export function errorsPage(): string {
  return `# Errors

Every problem has a code, which stays the same across versions, a place, what was found and what was expected. The library
throws an \`InputError\` whose \`problems\` are all that were found; the command line prints them and ends with exit code 2.

Search this page for the words of a message. In the column *Text*, … stands for the parts that differ. Texts that are put together
from several parts are left out.

This page is written by \`npx tsx scripts/errors.ts\` from \`src/base/codes.ts\`.
${AREAS.map(section).join('')}`;
}

const TEXTS = messageTexts();

function section({ title, example, codes }: (typeof AREAS)[number]): string {
  const textsOf = (code: string): string => (TEXTS.get(code) ?? []).map(verbatim).join('<br>');
  const rows = codes.map((c) => `| ${c.code} | ${cell(c.meaning)} | ${verbatim(c.example)} | ${textsOf(c.code)} |`);
  return `\n## ${title}\n\n| Code | Meaning | ${example} | Text |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function cell(text: string): string {
  return sentence(text).replaceAll('|', '\\|');
}

function sentence(text: string): string {
  const ended = /[.?]$/.test(text) ? text : `${text}.`;
  return ended[0]!.toUpperCase() + ended.slice(1);
}

/** Formats text as code; backticks in it are preserved. */
function verbatim(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync('docs/errors.md', errorsPage());
