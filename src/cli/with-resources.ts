import { createLog } from '#lib/log.ts';
import { assertInstallation, stampInstallation } from '#modules/installation';
import { openResources, type Resources } from '../composition.ts';
import { loadConfig } from '../config/load-config.ts';
import { bootOrShareDatabase } from '../embedded/boot-database.ts';
import { migrateDatabase } from '../migrate.ts';

/**
 * Runs the work of a command with everything that operations need, on the database of this installation, and closes all
 * of it again. Works beside a running server, on the embedded database too.
 */
export async function withResources<T>(work: (resources: Resources) => Promise<T>): Promise<T> {
  const config = await loadConfig();
  const database = await bootOrShareDatabase(config);
  try {
    await assertInstallation(database.url, config);
    await migrateDatabase(database.url);
    const resources = openResources(config, database.url, createLog('warn'));
    try {
      await stampInstallation(resources.db, config.environment, resources.keyring);
      return await work(resources);
    } finally {
      await resources.close();
    }
  } finally {
    await database.stop();
  }
}
