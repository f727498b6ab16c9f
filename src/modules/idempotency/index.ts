export { retention } from './retention.ts';
export { abandonRun, beginRun, type Run, sealedColumns, storeRunAnswer } from './run-once.ts';
