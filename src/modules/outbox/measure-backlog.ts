import type { Pool } from 'pg';
import { type Backlog, selectBacklogOfAll } from './backlog-store.ts';

const STATEMENT_TIMEOUT_MS = 2_000;

/** How much waits to be delivered, for metrics. Fails after two seconds rather than hold up the database. */
export const measureBacklog = (pool: Pool): Promise<Backlog> => selectBacklogOfAll(pool, STATEMENT_TIMEOUT_MS);
