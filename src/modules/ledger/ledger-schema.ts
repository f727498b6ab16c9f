import { bigint, pgSchema } from '#drizzle/pg-core';

export const ledgerSchema = pgSchema('ledger');

/** Minor units. */
export const money = (name: string) => bigint(name, { mode: 'bigint' });
