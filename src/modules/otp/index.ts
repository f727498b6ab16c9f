export { addressFor, channelsTo } from './addresses.ts';
export { checkCode, codeDigest, isCode } from './check-code.ts';
export { sendCode } from './send-code.ts';
export { assertMaySend, countSend, SEND_COOLDOWN_MS } from './sends.ts';
export { type CodeLimits, codeThrottle, linkingCodeThrottle } from './throttle.ts';
