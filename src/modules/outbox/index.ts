export { emit, emitTo } from './emit.ts';
export {
  changeEndpoint,
  insertEndpoint,
  markDeleted,
  ownerOf,
} from './endpoint-store.ts';
export { endpointNotFound, receiverNotFound } from './errors.ts';
export {
  lockAuthentic,
  lockReceiver,
  type Receiver,
  readClientIds,
  readReceiver,
  readReceivers,
  registerReceiver,
  updateReceiverUrl,
  withoutKeys,
} from './receiver.ts';
export {
  createKeyOpener,
  newWebhookSecret,
  openClientId,
  type SealedSigningKeys,
  type SigningKeys,
  sealHeaders,
  sealReceiverKeys,
} from './receiver-keys.ts';
export { RECEIVER_ROUTE, type RouteInSql, urlOf } from './receiver-route.ts';
export { room } from './room.ts';
export { type RotatedSecret, rotateSecret } from './rotate-secret.ts';
export { deleteEventBodies } from './store.ts';
export * from './tables.ts';
