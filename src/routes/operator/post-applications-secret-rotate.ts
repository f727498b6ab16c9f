import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getApplication, rotateClientSecret } from '#modules/applications';
import { immediately, rotatedForOwnerShape, toRotatedForOwner } from '#wire/client-secret.ts';
import { optionalReason } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { type CredentialDeps, waitsInLive } from './new-credentials.ts';
import { approvalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';

type Deps = DepsOf<typeof rotateClientSecret> & DepsOf<typeof getApplication> & FourEyesDeps & CredentialDeps;

const body = z.object({ immediately, reason: optionalReason }).nullish();

export function postApplicationsSecretRotate(app: ZodApp, deps: Deps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /applications/:id/secret/rotate',
    params: idParams,
    body,
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
        body,
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
