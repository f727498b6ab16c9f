export { type ComparisonView, compareDay, getComparison } from './compare-day.ts';
export { listComparisons } from './list-comparisons.ts';
export { listRails, type RailView } from './list-rails.ts';
export { room } from './room.ts';
export { runDueComparisons } from './run-due-comparisons.ts';
export type { ComparisonRow } from './store.ts';
