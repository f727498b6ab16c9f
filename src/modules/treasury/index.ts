export { fundApplication, fundFloat, settleApplication, settleFloat } from './fund-and-settle.ts';
export { listRemittances, type Remitted, remit, remittable } from './remit.ts';
export { amountToReverse, reverseTransaction } from './reverse-transaction.ts';
export { room } from './room.ts';
export { amountInSuspense, listSuspense, resolveSuspense, type Waiting } from './suspense.ts';
