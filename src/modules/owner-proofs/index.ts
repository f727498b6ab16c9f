export {
  type Answer,
  type AuthenticationMethods,
  answers,
  authenticationMethods,
  type Challenge,
  type TagOwner,
  toTagOwner,
} from './challenge.ts';
export { type Proof, type ProofLimits, proveOwner } from './prove-owner.ts';
export { bringCodesForward, room } from './room.ts';
export { sendOwnerCode } from './send-owner-code.ts';
export { voidCodes } from './void-codes.ts';
