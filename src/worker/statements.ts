import type { Logger } from 'pino';
import { prepareStatements } from '#modules/statements';
import { type PeriodicTask, startPeriodicTask } from './periodic-task.ts';

const ROUND_MS = 1_000;

/** Makes the statements ready that customers have asked for, until closed. */
export const startStatements = (deps: Parameters<typeof prepareStatements>[0] & { log: Logger }): PeriodicTask =>
  startPeriodicTask({ everyMs: ROUND_MS, log: deps.log, what: 'preparing statements' }, () => prepareStatements(deps));
