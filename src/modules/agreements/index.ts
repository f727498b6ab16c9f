export { type Agreement, listAgreements } from './list-agreements.ts';
export { withdrawAgreement } from './withdraw-agreement.ts';
