import formbody from '@fastify/formbody';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { postApplications } from './post-applications.ts';
import { postAuthToken } from './post-auth-token.ts';

/** Application identity: registration, and tokens for client credentials. */
export const identityPlugin = (resources: Resources) => async (app: ZodApp) => {
  postApplications(app, resources);
  await app.register(async (tokenApp: ZodApp) => {
    await tokenApp.register(formbody); // forms are for the token alone
    postAuthToken(tokenApp, resources);
  });
};
