export { countEverGiven, listChanges, listChangesByOthers, recordChange } from './changes.ts';
export { exportChangesAbout } from './export-of.ts';
export { room } from './room.ts';
