import { createRequire } from 'node:module';

export const { migrate } = createRequire(import.meta.url)('drizzle-orm/node-postgres/migrator');
