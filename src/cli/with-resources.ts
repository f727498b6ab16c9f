import { resolve } from 'node:path';
import { createLog } from '#lib/log.ts';
import { assertInstallation, stampInstallation } from '#modules/installation';
import { openResources, type Resources } from '../composition.ts';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { type BootedDatabase, bootDatabase } from '../embedded/boot-database.ts';
import { migrateDatabase } from '../migrate.ts';

/** Runs a command on the database of this installation; the sandbox's, also while its server runs. */
export async function withResources<T>(work: (resources: Resources) => Promise<T>): Promise<T> {
  const config = await loadConfig();
  const database = await attachOrBoot(config);
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

async function attachOrBoot(config: Config): Promise<BootedDatabase> {
  if (config.embedded) {
    const { runningEmbedded } = await import('../embedded/attach.ts');
    const url = await runningEmbedded(resolve(config.dataDir));
    if (url !== undefined) return { url, onEnd: () => {}, stop: async () => {} };
  }
  return bootDatabase(config);
}
