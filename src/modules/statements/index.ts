export { getRequestedStatement } from './get-requested-statement.ts';
export { issueStatement } from './issue-statement.ts';
export { formats } from './link.ts';
export { openStatement } from './open-statement.ts';
export { prepareStatements } from './prepare-statements.ts';
export { requestStatement } from './request-statement.ts';
export { bringForward, room } from './room.ts';
export { type VerifiedPaper, verifyPaper } from './verify-paper.ts';
