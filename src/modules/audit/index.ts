export { listChanges, recordChange } from './changes.ts';
export { invariants } from './invariants.ts';
