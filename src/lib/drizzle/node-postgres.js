import { createRequire } from 'node:module';

export const { drizzle } = createRequire(import.meta.url)('drizzle-orm/node-postgres');
