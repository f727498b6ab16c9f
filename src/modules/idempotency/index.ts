export { abandonRun, beginRun, type Run, sealedColumns, storeRunAnswer } from './run-once.ts';
export { deleteRequestsExpiredBefore } from './store.ts';
