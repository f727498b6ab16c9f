export { countEverGiven, listChanges, listChangesByOthers, recordChange } from './changes.ts';
export { exportChangesAbout } from './export-of.ts';
export { invariants } from './invariants.ts';
export { retention } from './retention.ts';
