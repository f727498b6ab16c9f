export { issueStatement } from './issue-statement.ts';
export { formats } from './link.ts';
export { openStatement } from './open-statement.ts';
