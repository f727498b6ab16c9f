import { drizzle } from '#drizzle/node-postgres';
import type { TestApp } from './app.ts';

/** What a command has that runs with the owner's login at the database, beside a server. */
export const asOwnerOf = ({ resources, owner }: Pick<TestApp, 'resources' | 'owner'>): TestApp['resources'] => ({
  ...resources,
  db: drizzle({ client: owner }),
  pool: owner,
});
