export { addressPolicy } from './address-policy.ts';
export type { AttemptResult } from './attempt-result.ts';
export { autoPause } from './auto-pause.ts';
export type { Backoff } from './backoff.ts';
export { breakerRules } from './breaker.ts';
export { changeEndpoint } from './change-endpoint.ts';
export { changeWebhookUrl, setWebhookUrl } from './change-url.ts';
export { type ClaimedDelivery, claimDeliveries } from './claim-deliveries.ts';
export { createEndpoint } from './create-endpoint.ts';
export { deleteEndpoint } from './delete-endpoint.ts';
export { createDispatcher, type Dispatcher } from './dispatcher.ts';
export { endpointsThatWant } from './endpoints-that-want.ts';
export {
  getEndpoint,
  getReceiver,
  listEndpoints,
  listReceivers,
  type ReceiverHealth,
} from './get-receiver.ts';
export { maintainWebhooks, releaseHeld } from './maintain-webhooks.ts';
export { measureBacklog } from './measure-backlog.ts';
export { pauseReceiver, resumeReceiver } from './pause-receiver.ts';
export { purgeDeliveries } from './purge-store.ts';
export {
  type DeliveryAbout,
  getDelivery,
  listDeliveries,
  listDeliveriesAbout,
  listDeliveriesAboutOne,
  listOwnDeliveries,
} from './read-deliveries.ts';
export { readRequest, type WebhookRequest } from './read-request.ts';
export { recordAttempts } from './record-attempts.ts';
export { type Replay, replayDeliveries } from './replay-deliveries.ts';
export { resendDelivery } from './resend-delivery.ts';
export { createResolve } from './resolve.ts';
export {
  dueDeliveries,
  failedDeliveries,
  failingReceivers,
  heldDeliveries,
  oldestDue,
  pausedReceivers,
  room,
  type WebhookRetentionDeps,
} from './room.ts';
export { createSender } from './send.ts';
export { sendEvent, sendTestEvent } from './send-test-event.ts';
export { assertWebhookTarget } from './target.ts';
export { toldOnce } from './told-once.ts';
export { findTold, findToldAbout, type ToldEvent, type ToldOf } from './told-store.ts';
export { markTold, takeUntold, tellLater, type UntoldEpisode } from './untold-store.ts';
export { watchReceivers } from './watch-receivers.ts';
