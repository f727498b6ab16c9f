export { recordChange } from './record-change.ts';
