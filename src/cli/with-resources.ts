import { createLog } from '#lib/log.ts';
import { createSecurityLog } from '#lib/security-events.ts';
import { stampInstallation } from '#modules/installation';
import { openResources, type Resources } from '../composition.ts';
import { loadConfig } from '../config/load-config.ts';
import { bootOrShareDatabase } from '../embedded/boot-database.ts';
import { prepareDatabase } from '../prepare-database.ts';
import { rootKeyIdsOf } from '../providers/kms/open-root-keys.ts';

/**
 * Runs the work of a command with everything that operations need, on the database of this installation, and closes all
 * of it again. Works beside a running server, on the embedded database too. The security event of what it changes is a line on
 * standard error, at the log level of the server: standard output is what the command prints.
 *
 * @param options `migrate`: applies the pending migrations first, whatever MIGRATE says
 */
export async function withResources<T>(
  work: (resources: Resources) => Promise<T>,
  options: { migrate?: boolean } = {},
): Promise<T> {
  const config = await loadConfig();
  const database = await bootOrShareDatabase(config);
  try {
    await prepareDatabase(database, config, options);
    const resources = await openResources(config, database.url, createLog('warn'));
    try {
      await stampInstallation(resources.db, config.environment, rootKeyIdsOf(config.rootKey));
      const log = createLog(config.logLevel, process.stderr);
      return await work({ ...resources, securityLog: createSecurityLog({ log, counted: () => undefined }) });
    } finally {
      await resources.close();
    }
  } finally {
    await database.stop();
  }
}
