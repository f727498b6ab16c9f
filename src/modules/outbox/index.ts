export { emit } from './emit.ts';
export { receiverNotFound } from './errors.ts';
export { type Receiver, readClientIds, readReceiver, registerReceiver, updateReceiverUrl } from './receiver.ts';
export {
  createKeyOpener,
  newWebhookSecret,
  type SealedSigningKeys,
  type SigningKeys,
  sealedColumns,
} from './receiver-keys.ts';
export { rotateSecret } from './rotate-secret.ts';
export { deleteEventBodies, deletePreviousSecrets } from './store.ts';
export * from './tables.ts';
