export { addressPolicy } from './address-policy.ts';
export { createDispatcher, type Dispatcher } from './dispatcher.ts';
export { pauseReceiver, resumeReceiver } from './pause-receiver.ts';
export { resend } from './resend.ts';
export { createResolve } from './resolve.ts';
export { createSender } from './send.ts';
export { assertWebhookTarget } from './target.ts';
