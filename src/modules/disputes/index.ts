export { addEvidence } from './add-evidence.ts';
export { decideDispute, disputedAmount } from './decide-dispute.ts';
export { disputeStates } from './dispute-state.ts';
export { type DisputeView, getDispute, listDisputes } from './dispute-view.ts';
export { expireDisputes } from './expire-disputes.ts';
export { openDispute } from './open-dispute.ts';
export { bringForward, openDisputes, room } from './room.ts';
