import type { Executor } from '#lib/database.ts';
import { clearPreviousSecrets } from './secret-store.ts';

/** Deletes the secrets before a rotation that do not sign any more. */
export const forgetPreviousSecrets = (db: Executor, now: Date): Promise<void> => clearPreviousSecrets(db, now);
