import { createRequire } from 'node:module';
import { z } from 'zod';

/** The version of this server, as package.json says it. */
export const { version } = z.object({ version: z.string() }).parse(createRequire(import.meta.url)('../package.json'));
