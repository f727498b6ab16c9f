export { notice } from './tables.ts';
