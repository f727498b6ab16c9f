export { type OpenKeyring, openKeyring } from './open-keyring.ts';
export { rekey } from './rekey.ts';
export { destroyRetiredKeys, listDataKeys } from './retired-keys.ts';
export { rewrapDataKeys } from './rewrap.ts';
export { room } from './room.ts';
export { routingFactsAreAuthentic } from './routing-facts.ts';
export { sealedValuesOpen } from './sealed-values.ts';
export { mayChangeKeys } from './store.ts';
