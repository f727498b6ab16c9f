export type { IntegrityCheck } from './checker.ts';
export { type Checker, createChecker, type IntegrityReport, type LastReport } from './checker.ts';
export { type IntegrityState, measureIntegrity } from './measure-integrity.ts';
export { room } from './room.ts';
export { dueCheck, runDueCheck } from './run-due-check.ts';
