export { type ClaimedDelivery, claimDeliveries } from './claim.ts';
export {
  type DeliveredEvent,
  type DeliveryAbout,
  type EventQuery,
  findEvents,
  findEventsAbout,
} from './delivery-store.ts';
export { createDispatcher, type Dispatcher } from './dispatch.ts';
export { changeEndpoint, changeWebhookUrl, createEndpoint, deleteEndpoint, setWebhookUrl } from './endpoints.ts';
export { type EpisodeAlert, markAlerted, retryAlert, takeAlerts } from './episode-store.ts';
export type { AttemptResult, Backoff } from './outcome.ts';
export { autoPause, maintainWebhooks, pauseReceiver, releaseHeld, resumeReceiver } from './pause.ts';
export { purgeDeliveries } from './purge-store.ts';
export {
  getDelivery,
  listDeliveries,
  listDeliveriesAbout,
  listDeliveriesAboutOne,
  listOwnDeliveries,
  readRequest,
  type WebhookRequest,
} from './read-deliveries.ts';
export {
  getEndpoint,
  getReceiver,
  listEndpoints,
  listReceivers,
  type ReceiverHealth,
} from './read-receivers.ts';
export { measureBacklog } from './receiver-store.ts';
export { breakerRules, recordAttempts } from './record.ts';
export { type Replay, replayDeliveries, resendDelivery } from './redeliver.ts';
export {
  dueDeliveries,
  failedDeliveries,
  failingReceivers,
  heldDeliveries,
  oldestDue,
  pausedReceivers,
  publishedOnce,
  room,
  type WebhookRetentionDeps,
} from './room.ts';
export { createSender } from './send.ts';
export { endpointsThatWant, sendEvent, sendTestEvent } from './send-event.ts';
export { addressPolicy, assertWebhookTarget, createResolve } from './target.ts';
export { watchReceivers } from './watch-receivers.ts';
