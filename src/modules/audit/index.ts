export { countEverGiven, exportChangesAbout, listChanges, listChangesByOthers, recordChange } from './changes.ts';
export { room } from './room.ts';
