export { bookInbox, receiveAndBook } from './book-inbox.ts';
export {
  amountToCredit,
  creditMessage,
  dismissMessage,
  getMessage,
  listMessages,
  type MessageView,
  retryMessage,
} from './decide-message.ts';
export { differences, messageStates } from './message-state.ts';
export { receiveMessage } from './receive-message.ts';
export { differingMessages, measureUnreadable, room } from './room.ts';
