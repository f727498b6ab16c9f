export { activateCustomer } from './activate-customer.ts';
export { changePassword, mayLogIn } from './change-password.ts';
export { bvnAlreadyRegistered, createCustomer, type Person } from './create-customer.ts';
export {
  type Customer,
  findCustomer,
  findCustomerByBvn,
  findCustomerByPayTag,
  findHandles,
  findPayTag,
  findPayTags,
  fullName,
  type PayTag,
} from './customer.ts';
export { findPayee } from './find-payee.ts';
export { maskBvn, maskEmail, maskPhone } from './mask.ts';
export { readBirthDate, readBvn, readEmail, readName, readPhone } from './normalise.ts';
export { dummyPasswordHash, hashPassword, verifyPassword } from './password-hash.ts';
export { assertPasswordAllowed } from './password-policy.ts';
export { payTagQr } from './pay-tag-qr.ts';
export { customer } from './tables.ts';
