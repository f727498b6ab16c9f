import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  addApiKey,
  assertPartnerChange,
  changePartner,
  changePartnerStatus,
  createPartner,
  getPartner,
  listPartners,
  type OperatorPartnerView,
  partnerStatuses,
  getPartner as readPartner,
  revokeApiKey,
} from '#modules/clients';
import { currencies, type PartnerDay, partnerDay } from '#modules/ledger';
import { fundFloat, settleFloat } from '#modules/treasury';
import { handoverShape, toHandover } from '#wire/client-secret.ts';
import { dayParam, momentOut, partnerDayAccount } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor, toMajorIfAny } from '#wire/money.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { credential, personal } from '#wire/personal.ts';
import { emailAddress, optional, optionalReason, reason, trustedName, webUrl } from '#wire/text.ts';
import { transactionType } from '#wire/transaction.ts';
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
import { asFile, fileQuery, withFile } from './list-or-file.ts';
import { approvalShape, idParams, optionalReasonBody, reasonBody } from './shapes.ts';

const partnerStatus = z.enum(partnerStatuses);

/** 128 random bits behind a prefix, as every partner's. It keys the signatures of webhooks. */
const partnerClientId = credential(z.string().meta({ example: 'pc_0f8c2d6b7a914e35b2c1d0e9f8a7b6c5' }));

/** A partner in a list. */
const listedPartnerShape = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: 'Acme Pay' }),
  clientId: partnerClientId,
  redirectUrl: z.string(),
  status: partnerStatus,
  createdAt: momentOut,
  updatedAt: momentOut,
});

const keyShape = z.object({ id: z.uuid(), createdAt: momentOut, revokedAt: momentOut.optional() });

/** A partner, with the dates of its keys and never the keys. */
const partnerShape = listedPartnerShape.extend({
  webhookUrl: z.string().optional().meta({ description: 'Without it events are kept' }),
  contactEmail: personal(z.string(), 'email')
    .optional()
    .meta({ description: 'The address that gets alerts about its webhooks' }),
  keys: z.array(keyShape).meta({
    description:
      'Oldest first, those revoked among them. In live the one that was made with the partner ends three days later',
  }),
  floats: z.array(z.object({ currency: z.enum(currencies), balance: amountOut })),
});

type Row = Awaited<ReturnType<typeof listPartners>>['items'][number];

type Key = OperatorPartnerView['keys'][number];

/** A partner in a list. */
const toListedPartner = (row: Row): z.input<typeof listedPartnerShape> => ({
  id: row.id,
  name: row.name,
  clientId: row.clientId,
  redirectUrl: row.redirectUrl,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** An API key, without the key itself. */
const toKey = ({ id, createdAt, revokedAt }: Key): z.input<typeof keyShape> => ({
  id,
  createdAt: createdAt.toISOString(),
  revokedAt: revokedAt?.toISOString(),
});

/** A partner with its keys and floats. */
const toPartner = (partner: OperatorPartnerView): z.input<typeof partnerShape> => ({
  ...toListedPartner(partner),
  webhookUrl: partner.webhookUrl ?? undefined,
  contactEmail: partner.contactEmail,
  keys: partner.keys.map(toKey),
  floats: partner.floats.map(({ currency, amounts }) => ({ currency, balance: toMajor(amounts.total) })),
});

export function getPartnersById(app: ZodApp, { readLong, keyring }: { readLong: ReadLong; keyring: Keyring }): void {
  app.get(
    '/partners/:id',
    {
      schema: {
        operationId: 'getPartner',
        summary: 'A partner: where its customers and its events are sent, which keys it has, what it keeps with us',
        params: idParams,
        response: { 200: partnerShape, ...failuresFor('PARTNER_NOT_FOUND') },
      },
    },
    async ({ actor, params }) =>
      toPartner(await readLong(actor, async (db) => readPartner({ keyring, db }, params.id))),
  );
}

const line = z.object({
  account: partnerDayAccount,
  currency: currencyCode,
  type: transactionType
    .optional()
    .meta({ description: 'What moved by transactions of this type; left out of all together' }),
  opening: amountOut.optional(),
  in: amountOut,
  out: amountOut,
  movements: z.int(),
  closing: amountOut.optional(),
});

const shape = z.object({
  partnerId: z.uuid(),
  date: z.iso.date().meta({ example: '2026-01-31' }),
  closed: z.boolean().meta({ description: 'False: the day is not over, and more may come' }),
  ties: z
    .boolean()
    .meta({ description: 'Opening and what moved come to closing, which is counted back from what stands there now' }),
  differences: z
    .array(z.object({ account: partnerDayAccount, currency: currencyCode, difference: z.number() }))
    .meta({ description: 'Where it does not tie, and by how much' }),
  items: z.array(line),
});

export function getPartnersDay(app: ZodApp, { readLong, clock }: { readLong: ReadLong; clock: Clock }): void {
  app.get(
    '/partners/:id/day/:date',
    {
      schema: {
        operationId: 'getPartnerDay',
        summary:
          'A partner’s day in Africa/Lagos: what its float and its wallets opened with, what moved and what was left',
        params: idParams.extend({ date: dayParam }),
        querystring: fileQuery,
        response: { 200: withFile(shape), ...failuresFor('PARTNER_NOT_FOUND') },
      },
    },
    async ({ actor, params: { id: partnerId, date }, query }, reply) => {
      const answer = toShape(await readLong(actor, async (db) => partnerDay(db, { clock, partnerId, date })));
      return query.format === 'csv' ? asFile(reply, `partner-day-${date}`, line, answer) : answer;
    },
  );
}

const toShape = ({ lines, differences, ...day }: PartnerDay): z.input<typeof shape> => ({
  ...day,
  ties: differences.length === 0,
  differences: differences.map((one) => ({ ...one, difference: toMajor(one.difference) })),
  items: lines.map((one) => ({
    ...one,
    opening: toMajorIfAny(one.opening),
    in: toMajor(one.in),
    out: toMajor(one.out),
    closing: toMajorIfAny(one.closing),
  })),
});

export function postPartnersFloat(app: ZodApp, deps: DepsOf<typeof fundFloat> & FourEyesDeps): void {
  const handle = balanceHandler(app, deps, 'POST /partners/:id/float', ({ id: partnerId, ...movement }) =>
    fundFloat(deps, { ...movement, partnerId }),
  );
  app.post(
    '/partners/:id/float',
    { schema: { ...balanceAction('PARTNER_NOT_FOUND'), operationId: 'fundFloat', summary: 'Fund a partner’s float' } },
    handle,
  );
}

export function postPartnersKeysRevoke(app: ZodApp, deps: DepsOf<typeof revokeApiKey>): void {
  app.post(
    '/partners/:id/keys/:keyId/revoke',
    {
      schema: {
        operationId: 'revokeApiKey',
        summary: 'End an API key of a partner, also the last one',
        params: idParams.extend({ keyId: z.uuid() }),
        body: reasonBody,
        response: { 200: keyShape, ...failuresFor('API_KEY_NOT_FOUND', 'PARTNER_NOT_FOUND', 'API_KEY_REVOKED') },
      },
    },
    async (request) => {
      const { id: partnerId, keyId } = request.params;
      const revocation = { ...request.body, partnerId, keyId, actor: request.actor };
      return toKey(await revokeApiKey(deps, revocation));
    },
  );
}

export function postPartnersKeys(app: ZodApp, deps: DepsOf<typeof addApiKey> & FourEyesDeps & CredentialDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /partners/:id/keys',
    params: idParams,
    body: optionalReasonBody,
    waits: ({ params }) => waitsInLive(deps, { ownerKind: 'PARTNER', ownerId: params.id }),
    repeatable: false,
    run: async ({ params, body, actor, cause }) => {
      const toOwner = deps.environment === 'live';
      const made = await addApiKey(deps, { ...body, partnerId: params.id, actor, toOwner, cause });
      return { ...toKey(made), apiKey: made.apiKey, handover: toHandover(made) };
    },
  });
  app.post(
    '/partners/:id/keys',
    {
      schema: {
        operationId: 'createApiKey',
        summary: 'Give a partner a second API key; only this answer shows it',
        description:
          'In live another operator approves it first, and the key is shown to the partner alone, once, by a link that is mailed to its proven contact.',
        params: idParams,
        body: optionalReasonBody,
        response: {
          201: keyShape.extend({
            apiKey: z.string().optional().meta({ description: 'Shown this once; in live to its owner alone' }),
            handover: handoverShape.optional(),
          }),
          202: approvalShape,
          ...failuresFor('PARTNER_NOT_FOUND', 'API_KEY_LIMIT', 'CONTACT_NOT_PROVEN'),
        },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return handle(request, reply);
    },
  );
}

type Deps = DepsOf<typeof changePartnerStatus> & FourEyesDeps;

export function postPartnersRestore(app: ZodApp, deps: Deps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /partners/:id/restore',
    params: idParams,
    body: reasonBody,
    waits: 'as judged',
    repeatable: false,
    run: async ({ params, body, actor, judge }) =>
      toPartner(await changePartnerStatus(deps, { ...body, id: params.id, change: 'restore', actor, judge })),
  });
  app.post(
    '/partners/:id/restore',
    {
      schema: {
        operationId: 'restorePartner',
        summary: 'Give a suspended partner back',
        description:
          'Where more than APPROVAL_ABOVE is on its floats and in its wallets, or waits for them, another operator approves it first.',
        params: idParams,
        body: reasonBody,
        response: {
          200: partnerShape,
          202: approvalShape,
          ...failuresFor('PARTNER_NOT_FOUND', 'PARTNER_STATUS_CONFLICT'),
        },
      },
    },
    handle,
  );
}

export function postPartnersSettlement(app: ZodApp, deps: DepsOf<typeof settleFloat> & FourEyesDeps): void {
  const handle = balanceHandler(app, deps, 'POST /partners/:id/settlement', ({ id: partnerId, ...movement }) =>
    settleFloat(deps, { ...movement, partnerId }),
  );
  app.post(
    '/partners/:id/settlement',
    {
      schema: {
        ...balanceAction('PARTNER_NOT_FOUND', 'INSUFFICIENT_FUNDS'),
        operationId: 'settleFloat',
        summary: 'Take from a partner’s float what was paid out to it',
      },
    },
    handle,
  );
}

export function postPartnersSuspend(app: ZodApp, deps: DepsOf<typeof changePartnerStatus>): void {
  app.post(
    '/partners/:id/suspend',
    {
      schema: {
        ...statusAction(idParams, partnerShape, 'PARTNER_NOT_FOUND', 'PARTNER_STATUS_CONFLICT'),
        operationId: 'suspendPartner',
        summary:
          'Suspend a partner: within a second its calls are refused, whatever key it has, and those of its customers there',
      },
    },
    async ({ params, body, actor }) =>
      toPartner(await changePartnerStatus(deps, { ...body, id: params.id, change: 'suspend', actor })),
  );
}

export function postPartnersWebhookSecretRotate(app: ZodApp, deps: WebhookSecretDeps): void {
  const name = 'POST /partners/:id/webhook/secret/rotate';
  app.post(
    '/partners/:id/webhook/secret/rotate',
    {
      schema: {
        ...webhookSecretAction,
        operationId: 'rotatePartnerWebhookSecret',
        summary: 'Give a partner a new webhook secret; the one before signs too for a while',
      },
    },
    webhookSecretHandler(app, deps, { name, ownerKind: 'PARTNER' }),
  );
}

const pages = pagedBy('partners', uuidKey);

export function getPartners(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listPartners>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/partners',
    {
      schema: {
        operationId: 'listPartners',
        summary: 'Find partners, newest first',
        querystring: pages.query.extend({ status: optional(partnerStatus) }),
        response: { 200: listOf(listedPartnerShape) },
      },
    },
    async (request) => {
      const found = await readLong(request.actor, async (db) => listPartners({ ...deps, db }, request.query));
      return pages.page(found, request.query, toListedPartner);
    },
  );
}

const created = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: 'Acme Pay' }),
  clientId: partnerClientId,
  apiKey: z.string().meta({ description: 'In live good for three days: keys that last go to the partner alone' }),
  redirectUrl: z.string(),
  webhookUrl: z.string().optional(),
  contactEmail: z.string().optional(),
  webhookSecret: z.string(),
  status: partnerStatus,
  createdAt: momentOut,
});

export function postPartners(app: ZodApp, deps: DepsOf<typeof createPartner>): void {
  app.post(
    '/partners',
    {
      schema: {
        operationId: 'createPartner',
        summary: 'Create a partner: its secrets are in this answer and nowhere else',
        description:
          'In live the key of this answer is good for three days. Meanwhile the owner proves the contact and is mailed a link to a key of their own.',
        body: z.object({
          name: trustedName(200),
          redirectUrl: webUrl,
          webhookUrl: optional(webUrl),
          contactEmail: optional(emailAddress).meta({
            description: 'The address that gets alerts about its webhooks',
            example: 'webhooks@acme.example',
          }),
          reason: optionalReason,
        }),
        response: { 201: created, ...failuresFor('REDIRECT_URL_REFUSED', 'WEBHOOK_TARGET_REFUSED') },
      },
    },
    async (request, reply) => {
      const partner = await createPartner(deps, request.actor, request.body);
      reply.code(201);
      return { ...partner, createdAt: partner.createdAt.toISOString() };
    },
  );
}

const body = z.object({
  name: optional(trustedName(200)),
  redirectUrl: optional(webUrl),
  webhookUrl: webUrl
    .nullable()
    .optional()
    .meta({ description: 'null: none, events are kept until there is one', example: 'https://acme.example/webhooks' }),
  contactEmail: emailAddress.nullable().optional().meta({
    description: 'The address that gets alerts about its webhooks; null: none',
    example: 'webhooks@acme.example',
  }),
  reason,
});

export function patchPartners(
  app: ZodApp,
  deps: DepsOf<typeof changePartner> & DepsOf<typeof getPartner> & FourEyesDeps,
): void {
  const handle = fourEyes(app, deps, {
    name: 'PATCH /partners/:id',
    params: idParams,
    body,
    // Where logins, events and new secrets go: their receiver can act for the partner or its customers.
    waits: async ({ params, body: { name, ...where } }) => {
      const { redirectUrl, webhookUrl, contactEmail } = where;
      const isElsewhere = [redirectUrl, webhookUrl, contactEmail].some((given) => given !== undefined);
      if (deps.environment !== 'live' || !isElsewhere) return 'never';
      await assertPartnerChange(deps, { name, ...where });
      await getPartner(deps, params.id);
      return 'always';
    },
    repeatable: false,
    run: async ({ params, body: change, actor }) =>
      toPartner(await changePartner(deps, { ...change, ...params, actor })),
  });
  app.patch(
    '/partners/:id',
    {
      schema: {
        operationId: 'changePartner',
        summary: 'Change what a partner is called, and where its customers and its events are sent',
        description: 'In live another operator approves another redirectUrl, webhookUrl and contactEmail first.',
        params: idParams,
        body,
        response: {
          200: partnerShape,
          202: approvalShape,
          ...failuresFor('REDIRECT_URL_REFUSED', 'WEBHOOK_TARGET_REFUSED', 'PARTNER_NOT_FOUND'),
        },
      },
    },
    handle,
  );
}
