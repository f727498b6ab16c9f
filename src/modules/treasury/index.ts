export { listSuspense, type Waiting } from './list-suspense.ts';
export { resolveSuspense } from './resolve-suspense.ts';
export { reverseTransaction } from './reverse-transaction.ts';
