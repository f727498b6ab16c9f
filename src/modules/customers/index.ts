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
export { type Correction, correctRecord } from './change-customer.ts';
export { bvnAlreadyRegistered, createCustomer, type Person } from './change-customer.ts';
export { activateCustomer, changePassword, mayLogIn } from './change-customer.ts';
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
export { assertPayee, type PayeeRows } from './store.ts';
export { EMV_AMOUNT_MAX } from './pay-tag-qr.ts';
export { eraseCustomer } from './change-customer.ts';
export { assertNotFrozen, isFrozen, keepsBvn, lockCustomer, markFrozen, releaseBvn } from './change-customer.ts';
export {
  approvalPageShare,
  assertPasswordTurn,
  dummyPasswordHash,
  hashPassword,
  partnerShare,
  verifyPassword,
} from './passwords.ts';
export { assertPasswordAllowed } from './passwords.ts';
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
export { momentText, sendNotices } from './notices.ts';
export type { LockedCustomer } from './store.ts';
export { customer } from './tables.ts';
export { tellCustomer } from './notices.ts';
