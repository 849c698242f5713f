/*
 * Loaded before the launcher (node --require): at the end, writes the code that V8 has compiled of a bundle by then to
 * where the launcher looks for it.
 */
const { writeFileSync } = require('node:fs');
const module_ = require('node:module');
const vm = require('node:vm');

module_.enableCompileCache = undefined;
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    const { platform, arch, versions } = process;
    const file = options.filename.replace(/bundle\.js$/, `${platform}-${arch}-${versions.v8}.code`);
    process.once('exit', () => writeFileSync(file, this.createCachedData()));
  }
};
