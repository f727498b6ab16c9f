import { importQuickly } from './quick-loading.js';

// `npm start`, and what the image runs: the server, loaded in less than half the time that `node src/server.ts` takes. It is
// JavaScript, as what it imports here is, so that Node need not load its TypeScript compiler (16 MB) for it.

await importQuickly(() => import('./server.ts'));
