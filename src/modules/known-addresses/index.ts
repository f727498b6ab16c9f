export { createKnownAddresses, type KnownAddresses } from './known-addresses.ts';
export { forgetAddressesUnusedSince } from './store.ts';
