export { listBeneficiaries } from './list-beneficiaries.ts';
export { eraseOf, exportOf } from './person-store.ts';
export { removeBeneficiary } from './remove-beneficiary.ts';
export { retention } from './retention.ts';
