import formbody from '@fastify/formbody';
import { neverStore } from '#http/never-store.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { getStatement } from './get-statement.ts';
import { postConsent } from './post-consent.ts';
import { postConsentCode } from './post-consent-code.ts';
import { postFederation } from './post-federation.ts';
import { postFederationCode } from './post-federation-code.ts';

const endpoints = [getStatement];
const forms = [postConsent, postConsentCode, postFederation, postFederationCode];

/** What people open in a browser. */
export const pagesPlugin = (resources: Resources) => async (app: ZodApp) => {
  neverStore(app);
  for (const endpoint of endpoints) endpoint(app, resources);
  await app.register(
    async (formApp: ZodApp) => {
      formApp.removeContentTypeParser('application/json');
      await formApp.register(formbody); // a page's forms are forms and nothing else
      for (const endpoint of forms) endpoint(formApp, resources);
    },
    { prefix: '/api/v1' },
  );
};
