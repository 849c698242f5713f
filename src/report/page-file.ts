import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../base/version.ts';
import { packed } from './deflate-pieces.ts';
import { END, OPENING, type Part } from './page-parts.ts';

/** Bytes of the parts of a page, in pieces. */
export type PageData = { readonly [part in Part]?: readonly Uint8Array[] };

/**
 * Says that the code of a page has not run: a file that is cut off in its code or styles has none, and a browser may not know its language.
 * The code marks the root when it begins.
 */
const GUARD = `document.addEventListener('DOMContentLoaded', function () {
  var root = document.documentElement;
  if (root.hasAttribute('data-code')) return;
  var alert = document.createElement('p');
  alert.setAttribute('role', 'alert');
  alert.textContent = 'The code of this page cannot run: the file is truncated or was changed, or this browser is from before 2023.';
  var page = document.getElementById('page');
  if (page) page.replaceWith(alert);
  else document.body.appendChild(alert);
  root.setAttribute('data-ready', 'failed');
});`;

/**
 * A page as one HTML file: code, styles and data. It requests nothing from any network, and its policy allows no other code than
 * its own (docs/view.md). Names occur in it only as compressed data and in the title, so that markup in them is never executed.
 *
 * @param isServed the page may ask the server that it comes from for news
 * @throws Error if the package has not been built
 */
export async function pageFile(title: string, data: PageData, isServed = false): Promise<Buffer> {
  const [code, styles] = ['page.js', 'styles.css'].map((name) =>
    readFileSync(packageFile(`dist/page/${name}`), 'utf8'),
  ) as [string, string];
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(GUARD)}' '${hashOf(code)}'`,
    `style-src '${hashOf(styles)}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(isServed ? ["connect-src 'self'"] : []),
  ].join('; ');
  const pieces: (string | Buffer)[] = [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    `<title>${escaped(title)}</title>\n<script>${GUARD}</script>\n<style>${styles}</style>\n</head>\n<body>\n`,
    '<div id="page"><p>The page is being read …</p></div>\n',
    '<noscript><p>This page needs JavaScript: all of it is in this file.</p></noscript>\n',
  ];
  const write = async (parts: readonly Part[]): Promise<void> => {
    for (const part of parts) {
      const bytes = data[part];
      if (bytes === undefined) continue;
      const base64 = (await packed(Buffer.concat(bytes))).toString('base64');
      pieces.push(`<script type="text/plain" id="part-${part}">`, base64, '</script>\n');
    }
  };
  // The code runs before the browser has read the parts that follow it.
  await write(OPENING);
  pieces.push(`<script>${code}</script>\n`);
  await write((Object.keys(data) as Part[]).filter((part) => !OPENING.includes(part)));
  pieces.push(`<script type="text/plain" id="${END}"></script>\n</body>\n</html>\n`);
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
