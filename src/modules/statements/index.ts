export { getRequestedStatement } from './get-requested-statement.ts';
export { issueStatement } from './issue-statement.ts';
export { formats } from './link.ts';
export { openStatement } from './open-statement.ts';
export { eraseOf, exportOf } from './person-store.ts';
export { prepareStatements } from './prepare-statements.ts';
export { requestStatement } from './request-statement.ts';
export { deleteRequestedBefore } from './store.ts';
export { bringForward } from './time-store.ts';
