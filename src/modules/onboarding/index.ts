export { completeCreation } from './complete-creation.ts';
export { createPayTag } from './create-paytag.ts';
export { getCreation } from './get-creation.ts';
export { linkPayTagByBvn } from './link-paytag.ts';
export { type OtpDispatch, sendOtp } from './send-otp.ts';
export { startCreation } from './start-creation.ts';
export { deleteCreationsExpiredBefore } from './store.ts';
export { validateOtp } from './validate-otp.ts';
export { verifyTag } from './verify-tag.ts';
