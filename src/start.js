import { setFlagsFromString } from 'node:v8';
import { importQuickly } from './quick-loading.js';

// `npm start`, and what the image runs: the server, loaded in less than half the time that `node src/server.ts` takes. It is
// JavaScript, as what it imports here is, so that Node need not load its TypeScript compiler (16 MB) for it.

// Memory that nobody uses any more is collected once as much has come on top as 40 % of what is used; V8 would let it become a
// multiple first, and hands none of that back while there is load.
setFlagsFromString('--heap-growing-percent=40');

await importQuickly(() => import('./server.ts'));
