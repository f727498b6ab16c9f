export { type Checker, createChecker, type IntegrityCheck, type IntegrityReport, type LastReport } from './checker.ts';
export { room } from './room.ts';
export { dueCheck, type IntegrityState, measureIntegrity, runDueCheck } from './run-due-check.ts';
export { exportSeals, listSeals, type PublishedSeal, sealDue, sealedUntil } from './seals.ts';
export { type Finding, verifySeals } from './verify-seals.ts';
