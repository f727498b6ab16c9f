export { changeTagStatus } from './change-tag-status.ts';
export { closeOwnTag } from './change-tag-status.ts';
export { completeCreation } from './complete-creation.ts';
export { completePasswordReset } from './password-reset.ts';
export { cancelContactChanges, putContactChangesInForce } from './contact-change.ts';
export { correctCustomer } from './data-rights.ts';
export { createPayTag } from './create-paytag.ts';
export type { PasswordReset } from './creation-session.ts';
export type { OtpDispatch } from './creation-session.ts';
export { eraseCustomer } from './data-rights.ts';
export { exportCustomer, type PersonExports } from './data-rights.ts';
export { findCustomers } from './view-customer.ts';
export { freezeCustomer } from './freeze-customer.ts';
export { getContacts } from './start-contact-change.ts';
export { getCreation } from './start-creation.ts';
export { findHandedBack, handBackBvn } from './freeze-customer.ts';
export { linkPayTagByBvn } from './create-paytag.ts';

export { readSimulatedCode } from './otp.ts';
export { releaseCustomer } from './freeze-customer.ts';
export { assertCustomersExist, REVEALED_MAX, revealable, revealCustomer, revealCustomers } from './view-customer.ts';
export { bringForward, room } from './room.ts';
export { sendOtp } from './otp.ts';
export { startContactChange } from './start-contact-change.ts';
export { startCreation } from './start-creation.ts';
export { startPasswordReset } from './password-reset.ts';
export { validateOtp } from './otp.ts';
export { verifyTag } from './create-paytag.ts';
export {
  type CustomerForOperator,
  customerStatuses,
  getCustomer,
  type ListedCustomer,
  listCustomers,
  type MaskedCustomer,
} from './view-customer.ts';
