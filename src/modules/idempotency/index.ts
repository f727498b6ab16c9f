export { room } from './room.ts';
export {
  abandonRun,
  beginRun,
  createIdempotencyKeys,
  findKeyedRequests,
  type IdempotencyKeys,
  type KeyedRequest,
  type Run,
  storeRunAnswer,
} from './run-once.ts';
