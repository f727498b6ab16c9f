import { assertInstallation } from '#modules/installation';
import type { Config } from './config/config.ts';
import { assertMigrated, migrateDatabase, migrateIfBehind } from './migrate.ts';
import { rootKeyIdsOf } from './providers/kms/open-root-keys.ts';
import type { Say } from './schema/without-queueing.ts';
import { ensureServerLogin } from './server-login.ts';

/** How a database is reached: by the server's own role, and by the role that owns the tables, where that was given. */
export interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}

/**
 * Makes a database ready for this process: it belongs to this installation, is migrated as MIGRATE says, and the server can
 * log in. Without an owner the one role does both.
 *
 * @param options `migrate`: applies what is pending, whatever MIGRATE says; `mayBeNew`: false refuses an empty database;
 *   `say` is told what a migration is at, and when another process's is waited for
 * @throws InstallationMismatch, also for a PostgreSQL that is too old, and a schema that is newer than this version
 */
export async function prepareDatabase(
  urls: DatabaseUrls,
  config: Pick<Config, 'environment' | 'rootKey' | 'migrate'> & { readonly databaseDirectUrl?: string | undefined },
  { migrate = false, mayBeNew = true, say }: { migrate?: boolean; mayBeNew?: boolean; say?: Say } = {},
): Promise<void> {
  const { ownerUrl } = urls;
  const url = config.databaseDirectUrl ?? urls.url; // what is asked here needs a session
  const owner = ownerUrl ?? url;
  await assertInstallation(owner, { ...config, rootKeyIds: rootKeyIdsOf(config.rootKey), mayBeNew });
  if (!migrate && config.migrate === 'never') return assertMigrated(url, say);
  await (migrate ? migrateDatabase(owner, { say }) : migrateIfBehind(owner, { say }));
  if (ownerUrl !== undefined) await ensureServerLogin(ownerUrl, url);
}
