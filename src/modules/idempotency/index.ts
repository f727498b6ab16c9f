export { abandonRun, beginRun, type Run, storeRunAnswer } from './run-once.ts';
export { deleteRequestsExpiredBefore } from './store.ts';
