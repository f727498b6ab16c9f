export { cancelSplit } from './cancel-split.ts';
export { createSplit } from './create-split.ts';
export { createTerminal } from './create-terminal.ts';
export { expireSplits } from './expire-splits.ts';
export { invariants } from './invariants.ts';
export { addToTerminal, lockSplit, paySplit } from './pay-split.ts';
export { getSplit, listSplits, type Split } from './split.ts';
export { split, terminal } from './tables.ts';
export { findTerminal, findTerminalById, sealedColumns, type Terminal } from './terminal.ts';
