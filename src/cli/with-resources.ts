import { createLog } from '#lib/log.ts';
import { createSecurityLog } from '#lib/security-events.ts';
import { InstallationMismatch, mayChangeKeys, stampInstallation } from '#modules/keys';
import { openResources, type Resources } from '../composition.ts';
import { loadCommandConfig } from '../config/load-config.ts';
import { bootOrShareDatabase } from '../embedded/boot-database.ts';
import { prepareDatabase } from '../prepare-database.ts';
import { rootKeyIdsOf } from '../providers/kms/open-root-keys.ts';

/**
 * Runs a command with the dependencies of operations, on the database of this installation, and closes them afterwards. Works while a
 * server runs, on the embedded database too. Security events are lines on standard error, at the server's log level; standard output
 * holds only what the command prints.
 *
 * @param options `migrate`: applies the pending migrations first, whatever MIGRATE says; `asOwner`: works with the login of the
 *   owner of the tables, for changes that a server may not make
 * @throws InstallationMismatch for `asOwner` without that login, and for an empty database, which `migrate` alone may fill
 */
export async function withResources<T>(
  work: (resources: Resources) => Promise<T>,
  options: { migrate?: boolean; asOwner?: boolean } = {},
): Promise<T> {
  const config = await loadCommandConfig();
  const logOptions = { hasWords: config.environment === 'sandbox' };
  const database = await bootOrShareDatabase(config);
  try {
    const say = (words: string) => console.error(words);
    await prepareDatabase(database, config, { ...options, mayBeNew: options.migrate === true, say });
    const own = config.databaseDirectUrl ?? database.url;
    const url = options.asOwner === true ? (database.ownerUrl ?? own) : own;
    const resources = await openResources(config, url, createLog('warn', process.stderr, logOptions));
    try {
      if (options.asOwner === true && !(await mayChangeKeys(resources.db))) {
        throw new InstallationMismatch(
          'this needs the login of the owner of the tables: give it as DATABASE_OWNER_URL',
        );
      }
      await stampInstallation(resources.db, config.environment, rootKeyIdsOf(config.rootKey));
      const log = createLog(config.logLevel, process.stderr, logOptions);
      return await work({ ...resources, securityLog: createSecurityLog({ log, counted: () => undefined }) });
    } finally {
      await resources.close();
    }
  } finally {
    await database.stop();
  }
}
