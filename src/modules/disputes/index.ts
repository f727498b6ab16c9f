export { decideDispute, disputedAmount, expireDisputes } from './decide-dispute.ts';
export { type DisputeView, getDispute, listDisputes } from './dispute.ts';
export { addEvidence } from './evidence.ts';
export { openDispute } from './open-dispute.ts';
export { bringForward, openDisputes, room } from './room.ts';
export { disputeStates } from './tables.ts';
