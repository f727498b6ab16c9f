export { createIdempotencyKeys, type IdempotencyKeys } from './keys.ts';
export { room } from './room.ts';
export {
  abandonRun,
  beginRun,
  findKeyedRequests,
  type KeyedRequest,
  type Run,
  storeRunAnswer,
} from './run-once.ts';
