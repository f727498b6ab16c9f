export { isReserved } from './is-reserved.ts';
export { passesForUs } from './passes-for-us.ts';
