export { type Answer, beginRun, forgetRun, keepAnswer, type Run } from './run-once.ts';
export { deleteExpired as deleteExpiredRequests } from './store.ts';
