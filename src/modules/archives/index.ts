export { archiveMonths } from './archive-months.ts';
export { invariants } from './invariants.ts';
export { loadArchive } from './load-archive.ts';
export { verifyArchive } from './verify-archive.ts';
