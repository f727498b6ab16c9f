export { isReserved } from './is-reserved.ts';
export { assertDisplayName, assertPersonName, assertThingName, passesForSomebody } from './name-checks.ts';
export { DRAWN_DIGITS, NAMED_NUMBER, NUMBER, WRITTEN_NUMBER } from './number-handles.ts';
