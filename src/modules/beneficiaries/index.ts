export { exportOf } from './export-store.ts';
export { listBeneficiaries } from './list-beneficiaries.ts';
export { removeBeneficiary } from './remove-beneficiary.ts';
export { recordBeneficiary } from './store.ts';
