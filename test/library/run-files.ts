import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

/*
 * Imports the given files one after the other and prints their outputs as JSON. One process runs all files, because its
 * start takes longer than most of them.
 */
const printed: string[] = [];
const log = console.log;
for (const file of process.argv.slice(2)) {
  const lines: string[] = [];
  console.log = (...args) => lines.push(format(...args));
  await import(pathToFileURL(file).href);
  printed.push(`${lines.join('\n')}\n`);
}
console.log = log;
console.log(JSON.stringify(printed));
