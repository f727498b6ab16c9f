#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// The command line, `paytag`. It is JavaScript, so that Node keeps what it compiles of all the rest.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
if (import.meta.main) {
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
