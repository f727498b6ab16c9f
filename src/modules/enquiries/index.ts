export { listNamedReceivers, type NamedReceiver } from './list-receivers.ts';
export { type Overview, readOverview } from './overview.ts';
export { readDelivery } from './read-delivery.ts';
export { type KeptOfRequest, readRequestKept, whereElse } from './read-request.ts';
export { readTag, type TagInFull } from './read-tag.ts';
export { readTransaction, type TransactionInFull } from './read-transaction.ts';
export { type Found, foundKinds, search } from './search.ts';
export { justBefore, type Sign, signNames, signStates, soonFrom } from './sign.ts';
