import { assertInstallation } from '#modules/installation';
import type { Config } from './config/config.ts';
import { assertMigrated, migrateDatabase, migrateIfBehind } from './migrate.ts';
import { rootKeyIdsOf } from './providers/kms/open-root-keys.ts';
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
 * @param options `migrate`: applies what is pending, whatever MIGRATE says; `mayBeNew`: false refuses an empty database
 * @throws InstallationMismatch, also for a PostgreSQL that is too old
 */
export async function prepareDatabase(
  { url, ownerUrl }: DatabaseUrls,
  config: Pick<Config, 'environment' | 'rootKey' | 'migrate'>,
  { migrate = false, mayBeNew = true } = {},
): Promise<void> {
  const owner = ownerUrl ?? url;
  await assertInstallation(owner, { ...config, rootKeyIds: rootKeyIdsOf(config.rootKey), mayBeNew });
  if (!migrate && config.migrate === 'never') return assertMigrated(url);
  await (migrate ? migrateDatabase(owner) : migrateIfBehind(owner));
  if (ownerUrl !== undefined) await ensureServerLogin(ownerUrl, url);
}
