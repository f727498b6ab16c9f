import type { z } from 'zod';
import { operatorOf } from '#http/auth/operator.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import { assertOwnerContact, rotateWebhookSecret } from '#modules/clients';
import type { Minor } from '#modules/ledger';
import { mayDo, type Role } from '#modules/operators';
import { toMajor } from '#wire/money.ts';
import { type Hidden, maskMarked } from '#wire/personal.ts';
import { secretForOwnerShape, toSecretForOwner } from '#wire/webhook.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { rotationBody } from './receivers.ts';
import { approvalShape, balanceShape, fundingBody, idParams, reasonBody } from './shapes.ts';

/** The schema of every change of a status: it needs a reason, and answers the record as it is then. */
export const statusAction = <Params extends z.ZodType, Shape extends z.ZodType, Code extends ErrorCode>(
  params: Params,
  shape: Shape,
  ...codes: Code[]
) => ({
  params,
  body: reasonBody,
  response: { 200: shape, ...failuresFor(...codes) },
});

/** The schema of every movement of money into or out of the float of a partner or the settlement wallet of an application. `codes`: what one refuses besides. */
export const balanceAction = <Code extends ErrorCode>(...codes: Code[]) => ({
  params: idParams,
  body: fundingBody,
  response: {
    200: balanceShape,
    202: approvalShape,
    ...failuresFor<'REFERENCE_REUSED' | 'BALANCE_EXCEEDED' | Code>('REFERENCE_REUSED', 'BALANCE_EXCEEDED', ...codes),
  },
});

/** What is moved, and whose it is. */
type Movement = z.infer<typeof fundingBody> & { id: string; actor: string };

/** Moves money into or out of what a request names, and answers what stands in it then. */
export const balanceHandler = (
  app: ZodApp,
  deps: FourEyesDeps,
  name: string,
  move: (movement: Movement) => Promise<Minor>,
) =>
  fourEyes(app, deps, {
    name,
    params: idParams,
    body: fundingBody,
    waits: ({ body }) => body.amount,
    repeatable: true,
    run: async ({ params: { id }, body, actor }) => {
      const balance = await move({ ...body, id, actor });
      return { currency: body.currency, balance: toMajor(balance) };
    },
  });

export type WebhookSecretDeps = DepsOf<typeof rotateWebhookSecret> & FourEyesDeps & CredentialDeps;

/** The schema of every rotation of a webhook secret. */
export const webhookSecretAction = {
  description:
    'In live another operator approves it first, and the secret is shown to its owner alone, once, by a link that is mailed to their proven contact.',
  params: idParams,
  body: rotationBody,
  response: {
    200: secretForOwnerShape,
    202: approvalShape,
    ...failuresFor('PARTNER_NOT_FOUND', 'RECEIVER_NOT_FOUND', 'SECRET_OVERLAP_RUNNING', 'CONTACT_NOT_PROVEN'),
  },
};

/** Rotates the webhook secret of the application or partner that a request names, and answers the new one or where it went. */
export const webhookSecretHandler = (
  app: ZodApp,
  deps: WebhookSecretDeps,
  { name, ownerKind }: { name: string; ownerKind: 'PARTNER' | 'APPLICATION' },
) =>
  fourEyes(app, deps, {
    name,
    params: idParams,
    body: rotationBody,
    waits: ({ params }) => waitsInLive(deps, { ownerKind, ownerId: params.id }),
    repeatable: false,
    run: async ({ params, body, actor, cause }): Promise<z.input<typeof secretForOwnerShape>> => {
      const owner = { ownerKind, ownerId: params.id };
      const toOwner = deps.environment === 'live';
      return toSecretForOwner(await rotateWebhookSecret(deps, { ...body, owner, actor, toOwner, cause }));
    },
  });

export type CredentialDeps = DepsOf<typeof assertOwnerContact> & { environment: string };

/**
 * Whether new credentials for an owner who has some wait: in live always, because their holder can act as that owner. They go to the
 * owner's proven contact, so that nothing is stored for an owner who has none.
 *
 * @throws DomainError CONTACT_NOT_PROVEN, PARTNER_NOT_FOUND, RECEIVER_NOT_FOUND
 */
export async function waitsInLive(
  deps: CredentialDeps,
  owner: Parameters<typeof assertOwnerContact>[1],
): Promise<'always' | 'never'> {
  if (deps.environment !== 'live') return 'never';
  await assertOwnerContact(deps, owner);
  return 'always';
}

/**
 * Masks in every answer of this instance what its shape marks as personal, for viewers, and what it marks as a
 * part of credentials, for support too. An answer that is not
 * an object, as a file would be, is not masked by this.
 */
export function maskForViewers(app: ZodApp): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    const hidden = request.operator === null ? [] : hiddenFrom(operatorOf(request).role);
    if (hidden.length === 0) return payload;
    const shape = jsonShapeOf(request.routeOptions.schema?.response, reply.statusCode);
    return shape === undefined ? payload : maskMarked(shape, payload, hidden);
  });
}

type Described = z.ZodType | { content: { 'application/json'?: { schema: z.ZodType } } };

/** The shape of an answer: that of a file is the shape of the page that it is written from. */
function jsonShapeOf(response: unknown, statusCode: number): z.ZodType | undefined {
  const described = (response as Readonly<Record<string, Described>> | undefined)?.[statusCode];
  return described !== undefined && 'content' in described ? described.content['application/json']?.schema : described;
}

function hiddenFrom(role: Role): readonly Hidden[] {
  if (mayDo(role, 'finance')) return [];
  return mayDo(role, 'support') ? ['credential'] : ['credential', 'personal'];
}
