export { createApplicationTag, createTag, isAvailable } from './create-tag.ts';
export type { TagStatus } from './handle.ts';
export { parseAddress, parseHandle, publicLink, readNewPayTag, readPayTag } from './handle.ts';
export { room, tagsOfCustomer } from './room.ts';
export {
  assertPayable,
  effectiveStatus,
  lockTagStatus,
  type PayableRows,
  type TagWithOwner,
  tagRoute,
} from './store.ts';
export { tag } from './tables.ts';
export {
  findTag,
  findTagEvenClosed,
  getTagForOperator,
  listTags,
  type OwnedTag,
  type TagForOperator,
  toOwnedTag,
  transitionTag,
} from './tag.ts';
