import { addToFailures } from '#http/failures.ts';
import { answerLate } from '#http/late-app.ts';
import { serveOpenApi } from '#http/openapi.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { webhooksOf } from '#wire/event-webhooks.ts';
import type { Resources } from './composition.ts';
import { importLater } from './quick-loading.js';
import { docsPlugin } from './routes/docs/plugin.ts';
import { hooksPlugin } from './routes/hooks/plugin.ts';
import { identityPlugin } from './routes/identity/plugin.ts';
import { openPlugin } from './routes/open/plugin.ts';
import { approvalPagesPlugin, portalPlugin, publicPagesPlugin } from './routes/pages/plugin.ts';
import { refusalPage } from './routes/pages/refusal-page.ts';
import { partnerPlugin } from './routes/partner/plugin.ts';
import { sandboxPlugin } from './routes/sandbox/plugin.ts';
import { ssoPlugin } from './routes/sso/plugin.ts';
import { switchPlugin } from './routes/switch/plugin.ts';
import { surfaceServer } from './surface-server.ts';

/**
 * What listens on PORT: every surface, in the order in which it is mounted. The operator's is among them, made late, unless it has a
 * port of its own.
 *
 * @param loaded called once the operator's surface is loaded
 */
export async function buildApp(resources: Resources, loaded = () => {}): Promise<ZodApp> {
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
  const isIts = resources.operatorPort === undefined ? isOperators : () => false;
  answerLate(app, resources, { isIts, make: () => operatorApp(resources, loaded) });
  return app;
}

/** What listens on OPERATOR_PORT: the operator's surface, and nothing else. */
export async function buildOperatorApp(resources: Resources, loaded = () => {}): Promise<ZodApp> {
  const app = surfaceServer(resources);
  answerLate(app, resources, { isIts: () => true, make: () => operatorApp(resources, loaded) });
  return app;
}

const isOperators = (path: string): boolean => /^\/(?:operator|console)(?:\/|$)/.test(path);

/** Over half of all routes, which most processes are never asked for: loaded when the first request for one of them comes. */
async function operatorApp(resources: Resources, loaded: () => void): Promise<ZodApp> {
  const late = await importLater(() => import('./operator-app.ts'));
  const app = await late.operatorApp(resources);
  await app.ready();
  loaded();
  return app;
}
