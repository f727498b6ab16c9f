export { listRemittances, type Remitted } from './list-remittances.ts';
export { listSuspense, type Waiting } from './list-suspense.ts';
export { fundFloat, settleFloat } from './move-float.ts';
export { fundApplication, settleApplication } from './move-settlement.ts';
export { remit, remittable } from './remit.ts';
export { amountInSuspense, resolveSuspense } from './resolve-suspense.ts';
export { amountToReverse, reverseTransaction } from './reverse-transaction.ts';
export { room } from './room.ts';
