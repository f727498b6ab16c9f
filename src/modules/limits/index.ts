export { addressFor, channelsTo } from './addresses.ts';
export { checkCode, codeDigest, isCode } from './check-code.ts';
export { idsOf, liftThrottle, listClosed } from './closed-throttles.ts';
export { type Closed, type Count, createThrottles, type Throttles } from './create-throttles.ts';
export { createKnownAddresses, type KnownAddresses } from './known-addresses.ts';

export { createLocalThrottle, type LocalThrottle } from './local-throttle.ts';
export { room } from './room.ts';
export { sendCode } from './send-code.ts';
export { assertMaySend, countSend, SEND_COOLDOWN_MS } from './sends.ts';
export { type CodeLimits, codeThrottle, linkingCodeThrottle } from './throttle.ts';
