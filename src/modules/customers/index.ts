export {
  type ContactKind,
  findContactChanges,
  findDueContactChanges,
  findRegistration,
  forgetContactChanges,
  putInForce,
  recordProven,
  storeContactChange,
} from './contacts.ts';
export { type Correction, correctRecord } from './correct.ts';
export { bvnAlreadyRegistered, createCustomer, type Person } from './create-customer.ts';
export { activateCustomer, changePassword, mayLogIn } from './credentials.ts';
export {
  type Contacts,
  type Customer,
  findCustomer,
  findCustomerByBvn,
  findCustomerByPayTag,
  findHandles,
  findNames,
  findPayee,
  findPayTag,
  findPayTagId,
  findPayTags,
  findShown,
  fullName,
  normalPayTag,
  type PayTag,
} from './customer.ts';
export { assertPayee, type PayeeRows } from './customer-route.ts';
export { EMV_AMOUNT_MAX } from './emv-payload.ts';
export { eraseCustomer } from './erase.ts';
export { assertNotFrozen, isFrozen, keepsBvn, lockCustomer, markFrozen, releaseBvn } from './freeze.ts';
export {
  approvalPageShare,
  assertPasswordTurn,
  dummyPasswordHash,
  hashPassword,
  partnerShare,
  verifyPassword,
} from './password-hash.ts';
export { assertPasswordAllowed } from './password-policy.ts';
export { payTagEmvPayload, payTagQr } from './pay-tag-qr.ts';
export {
  maskBvn,
  maskEmail,
  maskPhone,
  readBirthDate,
  readBvn,
  readEmail,
  readName,
  readPhone,
  readReachablePhone,
} from './personal-data.ts';
export {
  type CustomerRecord,
  type CustomerSummary,
  findPostalAddress,
  findRecords,
  listSummaries,
  readRecord,
} from './record.ts';
export { room } from './room.ts';
export { momentText, sendNotices } from './send-notices.ts';
export type { LockedCustomer } from './store.ts';
export { customer } from './tables.ts';
export { tellCustomer } from './tell-customer.ts';
