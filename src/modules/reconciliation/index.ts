export {
  type ComparisonView,
  compareDay,
  getComparison,
  listComparisons,
  listRails,
  type RailView,
  runDueComparisons,
} from './compare-day.ts';
export { isDateFormat } from './days.ts';
export { DAY_MAX, DAY_MIN, fileFormats, proofs } from './files/bank-file.ts';
export { type FileKind, otherCharsets, textOf } from './files/read-bank-file.ts';
export { getImport, type ImportView, importFile } from './import-file.ts';
export { itemStatuses } from './item-status.ts';
export { type ItemView, listImports, listItems, postable, resolveItem } from './items.ts';
export type { ComparisonRow } from './rail-store.ts';
export { rails } from './rails.ts';
export { itemsInStatus, room } from './room.ts';
export { findImport } from './store.ts';
