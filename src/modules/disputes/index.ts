export { decideDispute, disputedAmount, expireDisputes } from './decide-dispute.ts';
export { type DisputeView, getDispute, listDisputes } from './dispute.ts';
export { disputeStates } from './dispute-state.ts';
export { addEvidence, openDispute } from './open-dispute.ts';
export { bringForward, openDisputes, room } from './room.ts';
