export {
  type Answer,
  answers,
  type Challenge,
  type TagOwner,
  toTagOwner,
  type WaysToProve,
  waysToProve,
} from './challenge.ts';
export { type Proof, proveOwner } from './prove-owner.ts';
export { sendOwnerCode } from './send-owner-code.ts';
export { deleteOwnerCodesExpiredBefore } from './store.ts';
