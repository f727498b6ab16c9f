import type { ZodApp } from '#http/zod-app.ts';
import type { Resources } from './composition.ts';
import { consolePlugin } from './routes/console/plugin.ts';
import { operatorPlugin } from './routes/operator/plugin.ts';
import { refusalPage } from './routes/pages/refusal-page.ts';
import { surfaceServer } from './surface-server.ts';

/** The operator's surface: the operator API and the console, which asks it for everything. It shares a port with others, or has its own. */
export async function operatorApp(resources: Resources): Promise<ZodApp> {
  const app = surfaceServer(resources);
  if (resources.operatorPort === undefined) app.refusalPage = refusalPage;
  await app.register(operatorPlugin(resources), { prefix: '/operator/v1' });
  await app.register(consolePlugin(resources), { prefix: '/console' });
  return app;
}
