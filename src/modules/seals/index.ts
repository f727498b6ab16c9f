export { exportSeals, listSeals, sealedUntil } from './list-seals.ts';
export { room } from './room.ts';
export { type PublishedSeal, sealDue } from './seal-due.ts';
export { type Finding, verifySeals } from './verify-seals.ts';
