import { prepareStatements } from '#modules/statements';
import type { Resources } from '../resources.ts';
import { type Rounds, startRounds } from './rounds.ts';

const ROUND_MS = 1_000;

/** Makes the statements ready that customers have asked for, until closed. */
export const startStatements = (deps: Parameters<typeof prepareStatements>[0] & Pick<Resources, 'log'>): Rounds =>
  startRounds({ everyMs: ROUND_MS, log: deps.log, what: 'preparing statements' }, () => prepareStatements(deps));
