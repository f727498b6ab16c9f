import formbody from '@fastify/formbody';
import { requireApplication } from '#http/auth/application.ts';
import { honourIdempotencyKeys } from '#http/idempotency.ts';
import { neverStore } from '#http/never-store.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { getApplicationsWebhook } from './get-applications-webhook.ts';
import { postApplications } from './post-applications.ts';
import { postApplicationsSecretRotate } from './post-applications-secret-rotate.ts';
import { postAuthToken } from './post-auth-token.ts';
import { postSubjects } from './post-subjects.ts';
import { postTags } from './post-tags.ts';
import { putApplicationsWebhook } from './put-applications-webhook.ts';

const endpoints = [
  getApplicationsWebhook,
  putApplicationsWebhook,
  postApplicationsSecretRotate,
  postSubjects,
  postTags,
];

/** Application identity: registration and tokens are public; what is made with a token is behind it. */
export const identityPlugin = (resources: Resources) => async (app: ZodApp) => {
  postApplications(app, resources);
  await app.register(async (tokenApp: ZodApp) => {
    await tokenApp.register(formbody); // forms are for the token alone
    postAuthToken(tokenApp, resources);
  });
  await app.register(async (applicationApp: ZodApp) => {
    neverStore(applicationApp);
    requireApplication(applicationApp, resources);
    honourIdempotencyKeys(applicationApp, resources);
    for (const endpoint of endpoints) endpoint(applicationApp, resources);
  });
};
