export { type Agreement, listAgreements, withdrawAgreement } from './agreements.ts';
export { closeOwnTag, operateTag } from './change-tag.ts';
export { getOperatedTag, type OperatedTag } from './get-operated-tag.ts';
export { readOwnTag } from './read-own-tag.ts';
