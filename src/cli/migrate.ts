import { Command } from 'commander';
import { withResources } from './with-resources.ts';

/** `paytag migrate`: brings the database up to date and stamps it, one process at a time. */
export const migrateCommand = (): Command =>
  new Command('migrate').description('apply the pending migrations').action(async () => {
    await withResources(async ({ environment }) => console.log(`the ${environment} database is up to date`));
  });
