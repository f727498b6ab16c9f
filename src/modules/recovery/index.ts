export { countReveal, type RevealBudget } from './budgets.ts';
export { findCustomers } from './find-customers.ts';
export { freezeCustomer } from './freeze-customer.ts';
export { findHandedBack, handBackBvn } from './hand-back-bvn.ts';
export { releaseCustomer } from './release-customer.ts';
export { assertCustomersExist, REVEALED_MAX, revealable, revealCustomer, revealCustomers } from './reveal-customers.ts';
export { room } from './room.ts';
export {
  type CustomerForOperator,
  customerStatuses,
  getCustomer,
  type ListedCustomer,
  listCustomers,
  type MaskedCustomer,
} from './view-customer.ts';
