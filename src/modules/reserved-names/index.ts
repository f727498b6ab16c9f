export { DRAWN_DIGITS, isReserved, NAMED_NUMBER, NUMBER, WRITTEN_NUMBER } from './is-reserved.ts';
export { assertDisplayName, assertPersonName, assertThingName, passesForSomebody } from './name-checks.ts';
