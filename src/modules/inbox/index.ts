export { bookInbox, receiveAndBook } from './book-inbox.ts';
export { amountToCredit, creditMessage, dismissMessage, retryMessage } from './decide-message.ts';
export { differences, messageStates } from './message-state.ts';
export { getMessage, listMessages, type MessageView } from './message-view.ts';
export { receiveMessage } from './receive-message.ts';
export { differingMessages, measureUnreadable, room } from './room.ts';
