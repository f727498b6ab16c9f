export { bookInbox, receiveAndBook } from './book-inbox.ts';
export { amountToCredit, creditMessage, dismissMessage, retryMessage } from './decide-message.ts';
export { invariants } from './invariants.ts';
export { sealedColumns } from './message-body.ts';
export { differences, messageStates } from './message-state.ts';
export { getMessage, listMessages, type MessageView } from './message-view.ts';
export { receiveMessage } from './receive-message.ts';
export { retention } from './retention.ts';
export { differingMessages, measureUnreadable } from './waiting-store.ts';
