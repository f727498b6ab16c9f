export { formats } from './link.ts';
export { openStatement } from './open-statement.ts';
export { prepareStatements } from './prepare-statements.ts';
export { getRequestedStatement, issueStatement, requestStatement } from './request-statement.ts';
export { bringForward, room } from './room.ts';
export { type VerifiedStatement, verifyStatement } from './verification-code.ts';
