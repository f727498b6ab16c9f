export { changeTagStatus, closeTagFor } from './change-tag-status.ts';
export { closeOwnTag } from './close-own-tag.ts';
