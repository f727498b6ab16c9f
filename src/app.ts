import { readBodies } from '#http/bodies.ts';
import { addToFailures } from '#http/failures.ts';
import { newServer } from '#http/new-server.ts';
import { serveOpenApi } from '#http/openapi.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { webhooksOf } from '#wire/event-webhooks.ts';
import type { Resources } from './composition.ts';
import { consolePlugin } from './routes/console/plugin.ts';
import { docsPlugin } from './routes/docs/plugin.ts';
import { hooksPlugin } from './routes/hooks/plugin.ts';
import { identityPlugin } from './routes/identity/plugin.ts';
import { openPlugin } from './routes/open/plugin.ts';
import { operatorPlugin } from './routes/operator/plugin.ts';
import { refusalPage } from './routes/pages/error-messages.ts';
import { lookOf } from './routes/pages/page.ts';
import { approvalPagesPlugin, portalPlugin, publicPagesPlugin } from './routes/pages/plugin.ts';
import { readLanguages } from './routes/pages/texts.ts';
import { partnerPlugin } from './routes/partner/plugin.ts';
import { sandboxPlugin } from './routes/sandbox/plugin.ts';
import { ssoPlugin } from './routes/sso/plugin.ts';
import { switchPlugin } from './routes/switch/plugin.ts';

/**
 * What listens on PORT: every surface, in the order in which it is mounted. The operator's is the last one, unless it has a port of its
 * own.
 */
export async function buildApp(resources: Resources): Promise<ZodApp> {
  const app = surfaceServer(resources);
  app.refusalPage = refusalPage;
  const hasSandbox = resources.environment !== 'live';

  await app.register(openPlugin(resources));
  await app.register(hooksPlugin(resources), { prefix: '/hooks' });
  await app.register(publicPagesPlugin(resources));
  await app.register(portalPlugin(resources));
  await app.register(docsPlugin(resources));
  await app.register(
    async (v2: ZodApp) => {
      serveOpenApi(v2, {
        title: 'PayTag partner and SSO API',
        about: 'partner',
        schemes: ['clientId', 'apiKey', 'customer', ...(hasSandbox ? (['application'] as const) : [])],
        where: resources,
        webhooks: webhooksOf('/v2'),
      });
      await v2.register(partnerPlugin(resources), { prefix: '/partner' });
      await v2.register(ssoPlugin(resources), { prefix: '/sso' });
      if (hasSandbox) await v2.register(sandboxPlugin(resources), { prefix: '/sandbox' });
    },
    { prefix: '/v2' },
  );
  await app.register(
    async (api: ZodApp) => {
      addToFailures(api, { data: null }); // these surfaces answer in an Envelope
      serveOpenApi(api, {
        title: 'PayTag switch and application identity',
        about: 'switch',
        schemes: ['application'],
        where: resources,
        webhooks: webhooksOf('/api'),
      });
      await api.register(switchPlugin(resources), { prefix: '/v1' });
      await api.register(identityPlugin(resources), { prefix: '/v1' });
      await api.register(approvalPagesPlugin(resources), { prefix: '/v1' });
    },
    { prefix: '/api' },
  );
  if (resources.operatorPort === undefined) await mountOperator(app, resources);
  return app;
}

/** What listens on OPERATOR_PORT: the operator's surface, and nothing else. */
export async function buildOperatorApp(resources: Resources): Promise<ZodApp> {
  const app = surfaceServer(resources);
  await mountOperator(app, resources);
  return app;
}

/** A server for surfaces, with none mounted yet. */
function surfaceServer(resources: Resources): ZodApp {
  const app = newServer(resources);
  readBodies(app);
  app.decorate('languages', readLanguages());
  app.decorate('look', lookOf(resources.brand));
  return app;
}

/** The operator API, and the console, which asks it for everything. */
async function mountOperator(app: ZodApp, resources: Resources): Promise<void> {
  await app.register(operatorPlugin(resources), { prefix: '/operator/v1' });
  await app.register(consolePlugin(resources), { prefix: '/console' });
}
