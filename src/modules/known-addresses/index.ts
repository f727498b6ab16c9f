export { createKnownAddresses, type KnownAddresses } from './known-addresses.ts';
export { retention } from './retention.ts';
