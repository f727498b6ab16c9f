export { changeTagStatus } from './change-tag-status.ts';
export { closeOwnTag } from './close-own-tag.ts';
export { completeCreation } from './complete-creation.ts';
export { completePasswordReset } from './complete-password-reset.ts';
export { cancelContactChanges, putContactChangesInForce } from './contact-change.ts';
export { correctCustomer } from './correct-customer.ts';
export { createPayTag } from './create-paytag.ts';
export type { PasswordReset } from './creation.ts';
export type { OtpDispatch } from './creation-code.ts';
export { eraseCustomer } from './erase-customer.ts';
export { exportCustomer, type PersonExports } from './export-customer.ts';
export { findCustomers } from './find-customers.ts';
export { freezeCustomer } from './freeze-customer.ts';
export { getContacts } from './get-contacts.ts';
export { getCreation } from './get-creation.ts';
export { findHandedBack, handBackBvn } from './hand-back-bvn.ts';
export { linkPayTagByBvn } from './link-paytag.ts';

export { readSimulatedCode } from './read-code.ts';
export { releaseCustomer } from './release-customer.ts';
export { assertCustomersExist, REVEALED_MAX, revealable, revealCustomer, revealCustomers } from './reveal-customers.ts';
export { bringForward, room } from './room.ts';
export { sendOtp } from './send-otp.ts';
export { startContactChange } from './start-contact-change.ts';
export { startCreation } from './start-creation.ts';
export { startPasswordReset } from './start-password-reset.ts';
export { validateOtp } from './validate-otp.ts';
export { verifyTag } from './verify-tag.ts';
export {
  type CustomerForOperator,
  customerStatuses,
  getCustomer,
  type ListedCustomer,
  listCustomers,
  type MaskedCustomer,
} from './view-customer.ts';
