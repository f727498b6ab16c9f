export { beginRun, forgetRun, keepAnswer, type Run } from './run-once.ts';
export { deleteRequestsExpiredBefore } from './store.ts';
