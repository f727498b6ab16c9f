export {
  activateCustomer,
  assertNotFrozen,
  bvnAlreadyRegistered,
  type Correction,
  changePassword,
  correctRecord,
  createCustomer,
  eraseCustomer,
  isFrozen,
  keepsBvn,
  lockCustomer,
  markFrozen,
  mayLogIn,
  type Person,
  releaseBvn,
} from './change-customer.ts';
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
export { momentText, notifyCustomer, sendNotices } from './notices.ts';
export {
  approvalPageShare,
  assertPasswordAllowed,
  assertPasswordTurn,
  dummyPasswordHash,
  hashPassword,
  partnerShare,
  verifyPassword,
} from './passwords.ts';
export { EMV_AMOUNT_MAX, payTagEmvPayload, payTagQr } from './pay-tag-qr.ts';
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
export type { LockedCustomer } from './store.ts';
export { assertPayee, type PayeeRows } from './store.ts';
export { customer } from './tables.ts';
