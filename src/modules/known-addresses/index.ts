export { createKnownAddresses, type KnownAddresses } from './known-addresses.ts';
export { room } from './room.ts';
