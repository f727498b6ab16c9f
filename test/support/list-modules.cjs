// @ts-nocheck: what Node keeps of what it has loaded is not among its types
// For `node --require`: as the process ends, it says on standard error which packages it has loaded.
const { _cache: loaded } = require('node:module');
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const names = Object.keys(loaded).flatMap((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  writeSync(2, `packages: ${[...new Set(names)].join(' ')}\n`);
});
