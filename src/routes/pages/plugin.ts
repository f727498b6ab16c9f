import formbody from '@fastify/formbody';
import type { DepsOfEndpoints } from '#http/endpoint.ts';
import { noStore } from '#http/no-store.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { getStatements } from './get-statements.ts';
import { postConsent } from './post-consent.ts';
import { postConsentCode } from './post-consent-code.ts';
import { postFederation } from './post-federation.ts';
import { postFederationCode } from './post-federation-code.ts';

const endpoints = [getStatements];
const forms = [postConsent, postConsentCode, postFederation, postFederationCode];

type Deps = DepsOfEndpoints<typeof endpoints> & DepsOfEndpoints<typeof forms>;

/** What people open in a browser. */
export const pagesPlugin = (deps: Deps) => async (app: ZodApp) => {
  noStore(app);
  for (const endpoint of endpoints) endpoint(app, deps);
  await app.register(
    async (formApp: ZodApp) => {
      formApp.removeContentTypeParser('application/json');
      await formApp.register(formbody); // a page's forms are forms and nothing else
      for (const endpoint of forms) endpoint(formApp, deps);
    },
    { prefix: '/api/v1' },
  );
};
