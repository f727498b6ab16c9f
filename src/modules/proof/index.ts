export { type Checker, createChecker, type IntegrityCheck, type IntegrityReport, type LastReport } from './checker.ts';
export { exportSeals, listSeals, sealedUntil } from './list-seals.ts';
export { type IntegrityState, measureIntegrity } from './measure-integrity.ts';
export { room } from './room.ts';
export { dueCheck, runDueCheck } from './run-due-check.ts';
export { type PublishedSeal, sealDue } from './seal-due.ts';
export { type Finding, verifySeals } from './verify-seals.ts';
