export { type OpenKeyring, openKeyring } from './open-keyring.ts';
export { rekey } from './rekey.ts';
export { retention } from './retention.ts';
export { destroyRetiredKeys, listDataKeys } from './retired-keys.ts';
export { rewrapDataKeys } from './rewrap.ts';
export { routingFactsAreAuthentic } from './routing-facts.ts';
export { sealedValuesOpen } from './sealed-values.ts';
export { mayChangeKeys } from './store.ts';
