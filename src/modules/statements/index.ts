export { formats } from './link.ts';
export { openStatement } from './open-statement.ts';
export { type VerifiedPaper, verifyPaper } from './paper.ts';
export { prepareStatements } from './prepare-statements.ts';
export { getRequestedStatement, issueStatement, requestStatement } from './request-statement.ts';
export { bringForward, room } from './room.ts';
