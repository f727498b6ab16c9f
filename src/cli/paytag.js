#!/usr/bin/env node
import { importQuickly } from '../quick-loading.js';

// The command line, `paytag`. It is JavaScript, as what starts the server is: Node loads its TypeScript compiler for no command
// whose modules were compiled before, and a command is done in half the time.
const { main } = await importQuickly(() => import('./main.ts'));
process.exitCode = await main(process.argv.slice(2));
