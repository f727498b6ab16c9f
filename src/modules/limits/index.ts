export {
  addressFor,
  assertMaySend,
  type CodeLimits,
  channelsTo,
  checkCode,
  codeDigest,
  codeThrottle,
  countSend,
  isCode,
  linkingCodeThrottle,
  SEND_COOLDOWN_MS,
  sendCode,
} from './codes.ts';
export { createKnownAddresses, type KnownAddresses } from './known-addresses.ts';
export { room } from './room.ts';
export {
  type Closed,
  type Count,
  createLocalThrottle,
  createThrottles,
  idsOf,
  type LocalThrottle,
  liftThrottle,
  listClosed,
  type Throttles,
} from './throttles.ts';
