import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  type ApplicationForOperator,
  applicationStatuses,
  changeApplicationStatus,
  getApplication,
  listApplications,
  getApplication as readApplication,
  rotateClientSecret,
} from '#modules/clients';
import { fundApplication, settleApplication } from '#modules/treasury';
import { immediately, rotatedForOwnerShape, toRotatedForOwner } from '#wire/client-secret.ts';
import { momentOut } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { credential, personal } from '#wire/personal.ts';
import { optional, optionalReason } from '#wire/text.ts';
import {
  balanceAction,
  balanceHandler,
  type CredentialDeps,
  statusAction,
  type WebhookSecretDeps,
  waitsInLive,
  webhookSecretAction,
  webhookSecretHandler,
} from './actions.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape, idParams, optionalReasonBody, reasonBody } from './shapes.ts';

const applicationStatus = z.enum(applicationStatuses);

const applicationShape = z.object({
  id: z.uuid(),
  name: z.string(),
  namespace: z.string(),
  clientId: credential(z.string()),
  email: personal(z.string(), 'email').optional(),
  imageUrl: z.string().optional(),
  status: applicationStatus,
  previousSecretUntil: momentOut.optional(),
  createdAt: momentOut,
});

/** An application, without its secret. */
const toApplication = (application: ApplicationForOperator): z.input<typeof applicationShape> => ({
  ...application,
  previousSecretUntil: application.previousSecretUntil?.toISOString(),
  createdAt: application.createdAt.toISOString(),
});

export function getApplicationsById(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readApplication>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/applications/:id',
    {
      schema: {
        operationId: 'getApplication',
        summary: 'An application',
        params: idParams,
        response: { 200: applicationShape, ...failuresFor('APPLICATION_NOT_FOUND') },
      },
    },
    async ({ actor, params }) =>
      toApplication(await readLong(actor, async (db) => readApplication({ ...deps, db }, params.id))),
  );
}

export function postApplicationsApprove(app: ZodApp, deps: DepsOf<typeof changeApplicationStatus>): void {
  app.post(
    '/applications/:id/approve',
    {
      schema: {
        ...statusAction(idParams, applicationShape, 'APPLICATION_NOT_FOUND', 'APPLICATION_STATUS_CONFLICT'),
        operationId: 'approveApplication',
        summary: 'Approve an application that waits: it gets tokens from now on',
        body: optionalReasonBody,
      },
    },
    async ({ params, body, actor }) =>
      toApplication(await changeApplicationStatus(deps, { ...body, id: params.id, action: 'approve', actor })),
  );
}

export function postApplicationsFund(app: ZodApp, deps: DepsOf<typeof fundApplication> & FourEyesDeps): void {
  const handle = balanceHandler(app, deps, 'POST /applications/:id/fund', ({ id: applicationId, ...movement }) =>
    fundApplication(deps, { ...movement, applicationId }),
  );
  app.post(
    '/applications/:id/fund',
    {
      schema: {
        ...balanceAction('APPLICATION_NOT_FOUND'),
        operationId: 'fundApplication',
        summary: 'Fund an application’s settlement wallet',
      },
    },
    handle,
  );
}

type RestoreDeps = DepsOf<typeof changeApplicationStatus> & FourEyesDeps;

export function postApplicationsRestore(app: ZodApp, deps: RestoreDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /applications/:id/restore',
    params: idParams,
    body: reasonBody,
    waits: 'as judged',
    repeatable: false,
    run: async ({ params, body, actor, judge }) =>
      toApplication(await changeApplicationStatus(deps, { ...body, id: params.id, action: 'restore', actor, judge })),
  });
  app.post(
    '/applications/:id/restore',
    {
      schema: {
        operationId: 'restoreApplication',
        summary: 'Give a suspended application back',
        description: 'Where its settlement wallets hold more than APPROVAL_ABOVE, another operator approves it first.',
        params: idParams,
        body: reasonBody,
        response: {
          200: applicationShape,
          202: approvalShape,
          ...failuresFor('APPLICATION_NOT_FOUND', 'APPLICATION_STATUS_CONFLICT'),
        },
      },
    },
    handle,
  );
}

type SecretRotateDeps = DepsOf<typeof rotateClientSecret> &
  DepsOf<typeof getApplication> &
  FourEyesDeps &
  CredentialDeps;

const rotateBody = z.object({ immediately, reason: optionalReason }).nullish();

export function postApplicationsSecretRotate(app: ZodApp, deps: SecretRotateDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /applications/:id/secret/rotate',
    params: idParams,
    body: rotateBody,
    waits: async ({ params }) => {
      const { id } = await getApplication(deps, params.id);
      return waitsInLive(deps, { ownerKind: 'APPLICATION', ownerId: id });
    },
    repeatable: false,
    run: async ({ params: { id }, body: asked, actor, cause }) => {
      const toOwner = deps.environment === 'live';
      const given = { id, actor, immediately: asked?.immediately ?? false, reason: asked?.reason, toOwner, cause };
      return toRotatedForOwner(await rotateClientSecret(deps, given));
    },
  });
  app.post(
    '/applications/:id/secret/rotate',
    {
      schema: {
        operationId: 'rotateClientSecret',
        summary: 'Give an application a new client secret; the one before is taken too for a day',
        description:
          'In live another operator approves it first, and the secret is shown to the application’s owner alone, once, by a link that is mailed to their proven contact.',
        params: idParams,
        body: rotateBody,
        response: {
          200: rotatedForOwnerShape,
          202: approvalShape,
          ...failuresFor('APPLICATION_NOT_FOUND', 'SECRET_OVERLAP_RUNNING', 'CONTACT_NOT_PROVEN'),
        },
      },
    },
    handle,
  );
}

export function postApplicationsSettlement(app: ZodApp, deps: DepsOf<typeof settleApplication> & FourEyesDeps): void {
  const handle = balanceHandler(app, deps, 'POST /applications/:id/settlement', ({ id: applicationId, ...movement }) =>
    settleApplication(deps, { ...movement, applicationId }),
  );
  app.post(
    '/applications/:id/settlement',
    {
      schema: {
        ...balanceAction('APPLICATION_NOT_FOUND', 'INSUFFICIENT_FUNDS'),
        operationId: 'settleApplication',
        summary: 'Take from an application’s settlement wallet what was paid out to it',
      },
    },
    handle,
  );
}

export function postApplicationsSuspend(app: ZodApp, deps: DepsOf<typeof changeApplicationStatus>): void {
  app.post(
    '/applications/:id/suspend',
    {
      schema: {
        ...statusAction(idParams, applicationShape, 'APPLICATION_NOT_FOUND', 'APPLICATION_STATUS_CONFLICT'),
        operationId: 'suspendApplication',
        summary: 'Suspend an application: within a second its calls are refused, whatever token it has',
      },
    },
    async ({ params, body, actor }) =>
      toApplication(await changeApplicationStatus(deps, { ...body, id: params.id, action: 'suspend', actor })),
  );
}

export function postApplicationsWebhookSecretRotate(app: ZodApp, deps: WebhookSecretDeps): void {
  const name = 'POST /applications/:id/webhook/secret/rotate';
  app.post(
    '/applications/:id/webhook/secret/rotate',
    {
      schema: {
        ...webhookSecretAction,
        operationId: 'rotateApplicationWebhookSecret',
        summary: 'Give an application a new webhook secret; the one before signs too for a while',
      },
    },
    webhookSecretHandler(app, deps, { name, ownerKind: 'APPLICATION' }),
  );
}

const pages = pagedBy('applications', uuidKey);

export function getApplications(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listApplications>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/applications',
    {
      schema: {
        operationId: 'listApplications',
        summary: 'Find applications, newest first',
        querystring: pages.query.extend({ status: optional(applicationStatus) }),
        response: { 200: listOf(applicationShape) },
      },
    },
    async (request) => {
      const found = await readLong(request.actor, async (db) => listApplications({ ...deps, db }, request.query));
      return pages.page(found, request.query, toApplication);
    },
  );
}
