export { createApplicationTag } from './create-application-tag.ts';
export { createTag } from './create-tag.ts';
export { parseHandle, readNewPayTag, readPayTag } from './handle.ts';
export { isAvailable } from './is-available.ts';
export type { OwnedTag } from './owned-tag.ts';
export { publicLink } from './public-link.ts';
export { type PublicTag, resolveTag } from './resolve-tag.ts';
export { tag } from './tables.ts';
