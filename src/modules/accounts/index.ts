export { changeTagStatus, closeOwnTag } from './change-tag-status.ts';
export { completeCreation } from './complete-creation.ts';
export { cancelContactChanges, putContactChangesInForce } from './contact-change.ts';
export { createPayTag, linkPayTagByBvn, verifyTag } from './create-paytag.ts';
export type { OtpDispatch, PasswordReset } from './creation-session.ts';
export { correctCustomer, eraseCustomer, exportCustomer, type PersonExports } from './data-rights.ts';
export { findHandedBack, freezeCustomer, handBackBvn, releaseCustomer } from './freeze-customer.ts';
export { readSimulatedCode, sendOtp, validateOtp } from './otp.ts';
export { completePasswordReset, startPasswordReset } from './password-reset.ts';
export { bringForward, room } from './room.ts';
export { getContacts, startContactChange } from './start-contact-change.ts';
export { getCreation, startCreation } from './start-creation.ts';
export {
  assertCustomersExist,
  type CustomerForOperator,
  customerStatuses,
  findCustomers,
  getCustomer,
  type ListedCustomer,
  listCustomers,
  type MaskedCustomer,
  REVEALED_MAX,
  revealable,
  revealCustomer,
  revealCustomers,
} from './view-customer.ts';
