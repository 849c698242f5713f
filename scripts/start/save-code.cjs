/*
 * Loaded before the launcher (node --require): when a thread ends, writes the code that V8 has compiled of its bundle by
 * then to where the launcher looks for it.
 */
const { writeFileSync } = require('node:fs');
const module_ = require('node:module');
const vm = require('node:vm');

module_.enableCompileCache = undefined;
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    const file = options.filename.replace(
      /bundle\.js$/,
      `${process.platform}-${process.arch}-${process.versions.v8}.code`,
    );
    process.once('exit', () => writeFileSync(file, this.createCachedData()));
  }
};
