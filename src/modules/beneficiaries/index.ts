export { listBeneficiaries } from './list-beneficiaries.ts';
export { notePayment } from './note-payment.ts';
export { removeBeneficiary } from './remove-beneficiary.ts';
