export { compareDay, getComparison } from './compare-day.ts';
export { runDueComparisons } from './run-due-comparisons.ts';
