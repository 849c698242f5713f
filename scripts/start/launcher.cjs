#!/usr/bin/env node
/*
 * Runs the bundle that is named after this file: main.js runs main.bundle.js. Compiling what a short run needs of it takes
 * longer than running it, so the build left beside it what its V8 had compiled (save-code.cjs). For another V8, Node keeps
 * what was compiled once, from version 22 on.
 */
const { readFileSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { Script } = require('node:vm');

const name = __filename.replace(/\.js$/, '');
const filename = `${name}.bundle.js`;
let cachedData;
try {
  cachedData = readFileSync(`${name}.${process.platform}-${process.arch}-${process.versions.v8}.code`);
} catch {
  // Not built by this version of Node.
}
if (cachedData === undefined && enableCompileCache !== undefined) {
  enableCompileCache();
  module.exports = require(filename);
} else {
  // The bundle is ASCII. V8 ignores code that it cannot use, for instance because of its options.
  new Script(readFileSync(filename, 'latin1'), { filename, cachedData }).runInThisContext()(
    exports,
    require,
    module,
    filename,
  );
}
