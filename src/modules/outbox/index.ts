export {
  endpointNotFound,
  lockAuthentic,
  lockReceiver,
  type Receiver,
  readClientIds,
  readReceiver,
  readReceivers,
  receiverNotFound,
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
export { room } from './room.ts';
export { type RotatedSecret, rotateSecret } from './rotate-secret.ts';
export {
  changeEndpoint,
  deleteEventBodies,
  emit,
  emitTo,
  insertEndpoint,
  markDeleted,
  ownerOf,
  RECEIVER_ROUTE,
  type RouteInSql,
  urlOf,
} from './store.ts';
export * from './tables.ts';
