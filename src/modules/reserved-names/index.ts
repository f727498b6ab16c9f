export { isReserved } from './is-reserved.ts';
export { assertDisplayName, assertPersonName, passesForSomebody } from './name-checks.ts';
