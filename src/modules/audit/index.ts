export { listChanges } from './list-changes.ts';
export { recordChange } from './record-change.ts';
