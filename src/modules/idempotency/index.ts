export { createIdempotencyKeys, type IdempotencyKeys } from './keys.ts';
export { retention } from './retention.ts';
export {
  abandonRun,
  beginRun,
  findKeyedRequests,
  type KeyedRequest,
  type Run,
  sealedColumns,
  storeRunAnswer,
} from './run-once.ts';
