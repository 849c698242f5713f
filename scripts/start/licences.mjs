import { readdirSync, readFileSync } from 'node:fs';

/** Text of the ISC licence for packages that name it but do not include its text. */
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.
`;

/**
 * The licences of the packages to which the files belong. Throws if a licence is neither MIT nor ISC, or if its text is
 * missing.
 */
export function licences(files) {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  return [...folders]
    .sort()
    .map(licence)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licence(folder) {
  const { name, version, license, author, homepage } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  if (license !== 'MIT' && license !== 'ISC') throw new Error(`${name}: licence ${license}`);
  const by = typeof author === 'string' ? author : (author?.name ?? 'its authors');
  const about = [`${name} ${version} (${license})`, ...(homepage === undefined ? [] : [homepage])].join('\n');
  return `${about}\n\n${textOf(folder) ?? `Copyright (c) ${by} and contributors\n\n${license === 'ISC' ? ISC : missing(name)}`}`;
}

function textOf(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name));
  if (file !== undefined) return readFileSync(`${folder}/${file}`, 'utf8');
  return /\nLICENSE[^\n]*\n-+\n+(.*)$/s.exec(readFileSync(`${folder}/README.md`, 'utf8'))?.[1];
}

function missing(name) {
  throw new Error(`${name}: the text of its licence is not there`);
}
