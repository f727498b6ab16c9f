import { requireApplication } from '#http/auth/application.ts';
import { readForms } from '#http/bodies.ts';
import { noStore } from '#http/headers.ts';
import { honourIdempotencyKeys } from '#http/idempotency.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import { getApplicationsReturnUrls } from './get-applications-return-urls.ts';
import { getApplicationsWebhook } from './get-applications-webhook.ts';
import { postApplications } from './post-applications.ts';
import { postApplicationsSecretRotate } from './post-applications-secret-rotate.ts';
import { postAuthToken } from './post-auth-token.ts';
import { postSubjects } from './post-subjects.ts';
import { postTags } from './post-tags.ts';
import { putApplicationsReturnUrls } from './put-applications-return-urls.ts';
import { putApplicationsWebhook } from './put-applications-webhook.ts';

const endpoints = [
  getApplicationsWebhook,
  putApplicationsWebhook,
  getApplicationsReturnUrls,
  putApplicationsReturnUrls,
  postApplicationsSecretRotate,
  postSubjects,
  postTags,
];

type Deps = DepsOfEndpoints<typeof endpoints> &
  Parameters<typeof requireApplication>[1] &
  Parameters<typeof honourIdempotencyKeys>[1] &
  Parameters<typeof postAuthToken>[1] &
  Parameters<typeof postApplications>[1];

/** Application identity: registration and tokens are public; what is made with a token is behind it. */
export const identityPlugin = (deps: Deps) => async (app: ZodApp) => {
  postApplications(app, deps);
  await app.register(async (tokenApp: ZodApp) => {
    readForms(tokenApp); // forms are for the token alone
    postAuthToken(tokenApp, deps);
  });
  await app.register(async (applicationApp: ZodApp) => {
    noStore(applicationApp);
    requireApplication(applicationApp, deps);
    honourIdempotencyKeys(applicationApp, deps);
    for (const endpoint of endpoints) endpoint(applicationApp, deps);
  });
};
