export { listBeneficiaries } from './list-beneficiaries.ts';
export { removeBeneficiary } from './remove-beneficiary.ts';
export { room } from './room.ts';
