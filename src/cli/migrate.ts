import { Command } from 'commander';
import { withResources } from './with-resources.ts';

/** `paytag migrate`: applies the pending migrations and stamps the database with its environment. */
export const migrateCommand = (): Command =>
  new Command('migrate')
    .description('apply the pending migrations, as the owner of the tables; give the server its login and its rights')
    .action(async () => {
      await withResources(async ({ environment }) => console.log(`the ${environment} database is up to date`), {
        migrate: true,
      });
    });
