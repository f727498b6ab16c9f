export { type FoundSplit, findSplits, listTerminals, readTerminal } from './list-terminals.ts';
export { bringForward, room } from './room.ts';
export {
  addToTerminal,
  cancelSplit,
  createSplit,
  expireSplits,
  getSplit,
  listSplits,
  lockSplit,
  paySplit,
  type Split,
} from './split.ts';
export { split, terminal } from './tables.ts';
export { createTerminal, findTerminal, findTerminalById, type Terminal } from './terminal.ts';
