import { createLog } from '#lib/log.ts';
import { openResources } from '../../src/composition.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { maintain, maintainEachMinute } from '../../src/worker/maintenance.ts';
import { cleanUp } from '../../src/worker/start-worker.ts';

// What a worker does from time to time, each of it once and at once.
const config = await loadConfig();
const resources = await openResources(config, config.databaseUrl ?? '', createLog('info'));
await maintain(resources);
await maintainEachMinute(resources);
await cleanUp(resources);
await resources.close();
