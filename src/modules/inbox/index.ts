export { bookInbox } from './book-inbox.ts';
export { invariants } from './invariants.ts';
export { sealedColumns } from './message-body.ts';
export { purgeBodiesEndedBefore } from './purge-bodies.ts';
export { receiveMessage } from './receive-message.ts';
