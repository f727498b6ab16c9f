import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  assertCustomersExist,
  type CustomerForOperator,
  correctCustomer,
  customerStatuses,
  eraseCustomer,
  exportCustomer,
  findCustomers,
  findHandedBack,
  freezeCustomer,
  getCustomer,
  handBackBvn,
  type ListedCustomer,
  listCustomers,
  type MaskedCustomer,
  REVEALED_MAX,
  releaseCustomer,
  revealable,
  revealCustomer,
  revealCustomers,
} from '#modules/accounts';
import { endCustomerSessions } from '#modules/sessions';
import { momentIn, momentOut } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { personal } from '#wire/personal.ts';
import { dateOfBirth, optional, optionalReason, reason, text } from '#wire/text.ts';
import { statusAction } from './actions.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape, idParams, listedWalletShape, reasonBody, toListedWallet } from './shapes.ts';

const customerStatus = z.enum(customerStatuses);

/** A customer as a search shows them: what could harm them is masked. */
const maskedCustomerShape = z.object({
  id: z.uuid(),
  paytag: z.string().meta({ example: 'ada' }),
  paytagStatus: z.enum(['ACTIVE', 'SUSPENDED', 'CLOSED']),
  name: personal(z.string().meta({ example: 'Ada Obi' }), 'name'),
  status: customerStatus,
  bvn: z.string().optional().meta({ example: '*******1234' }),
  phone: z.string().optional().meta({ example: '+234********67' }),
  email: z.string().optional().meta({ example: 'a***@example.com' }),
  yearOfBirth: z.int().optional(),
  hasAddress: z.boolean(),
  hasPassword: z.boolean().meta({ description: 'false: onboarding was not completed' }),
  frozenAt: momentOut.optional(),
  bvnHandedBackAt: momentOut.optional(),
  erasedAt: momentOut.optional(),
  createdAt: momentOut,
  updatedAt: momentOut,
});

/** A customer in a list. */
const listedCustomerShape = maskedCustomerShape.omit({
  bvn: true,
  phone: true,
  email: true,
  yearOfBirth: true,
  hasAddress: true,
});

const toListedCustomer = ({ tag, tagStatus, ...customer }: ListedCustomer): z.input<typeof listedCustomerShape> => ({
  ...customer,
  paytag: tag,
  paytagStatus: tagStatus,
  frozenAt: customer.frozenAt?.toISOString(),
  bvnHandedBackAt: customer.bvnHandedBackAt?.toISOString(),
  erasedAt: customer.erasedAt?.toISOString(),
  createdAt: customer.createdAt.toISOString(),
  updatedAt: customer.updatedAt.toISOString(),
});

/** A customer by themselves. */
const customerShape = maskedCustomerShape.extend({
  wallets: z.array(listedWalletShape).meta({ description: 'At all partners, newest first, the revoked ones included' }),
  sessions: z
    .array(z.object({ partnerId: z.uuid(), issuedAt: momentOut, expiresAt: momentOut }))
    .meta({ description: 'Where they are logged in, newest first' }),
});

/** A customer as a search shows them. */
const toMaskedCustomer = ({
  id,
  tag,
  tagStatus,
  name,
  status,
  ...customer
}: MaskedCustomer): z.input<typeof maskedCustomerShape> => ({
  id,
  paytag: tag,
  paytagStatus: tagStatus,
  name,
  status,
  bvn: customer.bvn,
  phone: customer.phone,
  email: customer.email,
  yearOfBirth: customer.yearOfBirth,
  hasAddress: customer.hasAddress,
  hasPassword: customer.hasPassword,
  frozenAt: customer.frozenAt?.toISOString(),
  bvnHandedBackAt: customer.bvnHandedBackAt?.toISOString(),
  erasedAt: customer.erasedAt?.toISOString(),
  createdAt: customer.createdAt.toISOString(),
  updatedAt: customer.updatedAt.toISOString(),
});

/** A customer with their wallets and sessions. */
const toCustomer = (customer: CustomerForOperator): z.input<typeof customerShape> => ({
  ...toMaskedCustomer(customer),
  wallets: customer.wallets.map(toListedWallet),
  sessions: customer.sessions.map(({ partnerId, issuedAt, expiresAt }) => ({
    partnerId,
    issuedAt: issuedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  })),
});

/** What of a customer is to be revealed. */
const revealedFields = optional(z.array(z.enum(revealable)).max(revealable.length)).meta({
  description: 'Absent or empty: all',
});

/** What is on record of a customer, in the clear. */
const revealedShape = z.object({
  id: z.uuid(),
  bvn: z.string().optional(),
  phone: z.string().optional(),
  email: z.string().optional(),
  dateOfBirth: z.string().optional().meta({ example: '1990-05-17' }),
  address: z.string().optional(),
});

export function getCustomersById(
  app: ZodApp,
  { readLong, ...deps }: DepsOf<typeof getCustomer> & { readLong: ReadLong },
): void {
  app.get(
    '/customers/:id',
    {
      schema: {
        operationId: 'getCustomer',
        summary: 'A customer, masked, with their wallets and where they are logged in',
        params: idParams,
        response: { 200: customerShape, ...failuresFor('CUSTOMER_NOT_FOUND') },
      },
    },
    async ({ actor, params }) => toCustomer(await readLong(actor, async (db) => getCustomer(deps, db, params.id))),
  );
}

const correctBody = z.object({
  reason,
  firstName: optional(text(100)),
  lastName: optional(text(100)),
  otherName: optional(text(100)),
  dateOfBirth: optional(dateOfBirth),
  address: optional(text(500)),
});

export function postCustomersCorrect(
  app: ZodApp,
  deps: DepsOf<typeof correctCustomer> & DepsOf<typeof getCustomer> & { db: Database },
): void {
  app.post(
    '/customers/:id/correct',
    {
      schema: {
        operationId: 'correctCustomer',
        summary: 'Correct names, birth date or address of a customer; all answers show the corrected ones from then on',
        params: idParams,
        body: correctBody,
        response: {
          200: customerShape,
          ...failuresFor('NAME_RESERVED', 'CUSTOMER_NOT_FOUND', 'CUSTOMER_STATUS_CONFLICT'),
        },
      },
    },
    async ({ params, body: given, actor }) => {
      await correctCustomer(deps, { ...given, id: params.id, actor });
      return toCustomer(await getCustomer(deps, deps.db, params.id));
    },
  );
}

export function postCustomersErase(
  app: ZodApp,
  deps: DepsOf<typeof eraseCustomer> & DepsOf<typeof getCustomer> & { db: Database },
): void {
  app.post(
    '/customers/:id/erase',
    {
      schema: {
        ...statusAction(
          idParams,
          customerShape,
          'CUSTOMER_NOT_FOUND',
          'CUSTOMER_STATUS_CONFLICT',
          'CUSTOMER_NOT_EMPTY',
        ),
        operationId: 'eraseCustomer',
        summary: 'Erase a customer for good, once their wallets are empty; the books stay, without their name',
      },
    },
    async ({ params, body, actor }) => {
      await eraseCustomer(deps, { ...body, id: params.id, actor });
      return toCustomer(await getCustomer(deps, deps.db, params.id));
    },
  );
}

const document = z.object({
  customerId: z.uuid(),
  exportedAt: momentOut,
  data: z.record(z.string(), z.unknown()).meta({
    description:
      'By part: `profile`, `payTags`, `wallets`, `transactions`, `receivedFrom`, `offers`, `claims`, `links`, `beneficiaries`, `bankAccounts`, `logins`, `onboarding`, `notices`, `statements`, `changesByOperators`. Of long lists the newest 10,000, with `count` of all and `isComplete`',
  }),
});

export function postCustomersExport(app: ZodApp, deps: DepsOf<typeof exportCustomer>): void {
  app.post(
    '/customers/:id/export',
    {
      schema: {
        operationId: 'exportCustomer',
        summary: 'Everything that is kept of a customer, opened, as one document; audited',
        description: 'Under an `Idempotency-Key` the document is kept for its 24 hours, sealed: send none.',
        params: idParams,
        body: reasonBody,
        response: { 200: document, ...failuresFor('CUSTOMER_NOT_FOUND') },
      },
    },
    async ({ params, body, actor }) => {
      const { customerId, exportedAt, data } = await exportCustomer(deps, { ...body, id: params.id, actor });
      return { customerId, exportedAt: exportedAt.toISOString(), data };
    },
  );
}

const findBody = z
  .object({
    paytag: optional(text(40)).meta({ example: 'ada' }),
    nuban: optional(z.string().regex(/^\d{10}$/, 'must be 10 digits')),
    phone: optional(text(40)).meta({ description: 'e.g. 08031234567' }),
    bvn: optional(text(40)).meta({ description: '11 digits' }),
    reason: optionalReason,
  })
  .meta({ example: { paytag: 'ada' } });

export function postCustomersFind(app: ZodApp, deps: DepsOf<typeof findCustomers>): void {
  app.post(
    '/customers/find',
    {
      schema: {
        operationId: 'findCustomers',
        summary: 'Find customers by exactly one of PayTag, account number, phone and BVN',
        description:
          'Masked. A POST, so that no phone and no BVN stands in a URL. Audited, without what was searched for.',
        body: findBody,
        response: { 200: z.object({ items: z.array(maskedCustomerShape) }) },
      },
    },
    async ({ body: search, actor }) => {
      const found = await findCustomers(deps, { ...search, actor });
      return { items: found.map(toMaskedCustomer) };
    },
  );
}

export function postCustomersFreeze(app: ZodApp, deps: DepsOf<typeof freezeCustomer>): void {
  app.post(
    '/customers/:id/freeze',
    {
      schema: {
        ...statusAction(idParams, customerShape, 'CUSTOMER_NOT_FOUND', 'CUSTOMER_STATUS_CONFLICT'),
        operationId: 'freezeCustomer',
        summary: 'Freeze a customer: no login, token, code or link is good, and no money leaves their wallets',
      },
    },
    async ({ params, body, actor }) => toCustomer(await freezeCustomer(deps, { ...body, id: params.id, actor })),
  );
}

type HandBackBvnDeps = DepsOf<typeof handBackBvn> & DepsOf<typeof findHandedBack> & FourEyesDeps;

export function postCustomersHandBackBvn(app: ZodApp, deps: HandBackBvnDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /customers/:id/hand-back-bvn',
    params: idParams,
    body: reasonBody,
    waits: 'always',
    repeatable: false,
    run: async ({ params, body, actor }) => toCustomer(await handBackBvn(deps, { ...body, id: params.id, actor })),
  });
  app.post(
    '/customers/:id/hand-back-bvn',
    {
      schema: {
        operationId: 'handBackBvn',
        summary:
          'Give the BVN of a frozen customer back to its owner, who can onboard again; the customer stays frozen',
        params: idParams,
        body: reasonBody,
        response: {
          200: customerShape,
          202: approvalShape,
          ...failuresFor('CUSTOMER_NOT_FOUND', 'CUSTOMER_STATUS_CONFLICT'),
        },
      },
    },
    async (request, reply) => {
      const handedBack = await findHandedBack(deps, request.params.id);
      return handedBack === undefined ? handle(request, reply) : toCustomer(handedBack);
    },
  );
}

type ReleaseDeps = DepsOf<typeof releaseCustomer> & FourEyesDeps;

export function postCustomersRelease(app: ZodApp, deps: ReleaseDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /customers/:id/release',
    params: idParams,
    body: reasonBody,
    waits: 'as judged',
    repeatable: false,
    run: async ({ params, body, actor, judge }) =>
      toCustomer(await releaseCustomer(deps, { ...body, id: params.id, actor, judge })),
  });
  app.post(
    '/customers/:id/release',
    {
      schema: {
        operationId: 'releaseCustomer',
        summary: 'Release a customer who was frozen; wallets and PayTag are what they were, unless changed since',
        description:
          'Where more than APPROVAL_ABOVE is in their wallets, or waits for them, another operator approves it first.',
        params: idParams,
        body: reasonBody,
        response: {
          200: customerShape,
          202: approvalShape,
          ...failuresFor('CUSTOMER_NOT_FOUND', 'CUSTOMER_STATUS_CONFLICT'),
        },
      },
    },
    handle,
  );
}

const revealByIdBody = z.object({ reason, fields: revealedFields });

export function postCustomersRevealById(app: ZodApp, deps: DepsOf<typeof revealCustomer>): void {
  app.post(
    '/customers/:id/reveal',
    {
      schema: {
        operationId: 'revealCustomer',
        summary: 'Show what is masked of a customer; audited',
        params: idParams,
        body: revealByIdBody,
        response: { 200: revealedShape, ...failuresFor('CUSTOMER_NOT_FOUND') },
      },
    },
    async ({ params, body: request, actor }) => revealCustomer(deps, { ...request, id: params.id, actor }),
  );
}

const noParams = z.object({});

const revealBody = z.object({ ids: z.array(z.uuid()).min(1).max(REVEALED_MAX), reason, fields: revealedFields });

type RevealDeps = DepsOf<typeof revealCustomers> & DepsOf<typeof assertCustomersExist> & FourEyesDeps;

export function postCustomersReveal(app: ZodApp, deps: RevealDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /customers/reveal',
    params: noParams,
    body: revealBody,
    waits: 'always',
    repeatable: false,
    run: async ({ body: request, actor }) => ({ items: await revealCustomers(deps, { ...request, actor }) }),
  });
  app.post(
    '/customers/reveal',
    {
      schema: {
        operationId: 'revealCustomers',
        summary: 'Show what is masked of up to a hundred customers, once another operator has approved it; audited',
        params: noParams,
        body: revealBody,
        response: {
          200: z.object({ items: z.array(revealedShape) }),
          202: approvalShape,
          ...failuresFor('CUSTOMER_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      await assertCustomersExist(deps, request.body.ids);
      return handle(request, reply);
    },
  );
}

export function postCustomersSessionsEnd(app: ZodApp, deps: DepsOf<typeof endCustomerSessions>): void {
  app.post(
    '/customers/:id/sessions/end',
    {
      schema: {
        operationId: 'endSessionsOfCustomer',
        summary: 'End all sessions of a customer, and the codes that could still become one',
        params: idParams,
        body: reasonBody.extend({
          partnerId: optional(z.uuid()).meta({ description: 'At this partner alone; without it at all' }),
        }),
        response: {
          200: z.object({ ended: z.int().meta({ description: 'How many sessions ended', example: 2 }) }),
          ...failuresFor('CUSTOMER_NOT_FOUND'),
        },
      },
    },
    async ({ params, body, actor }) => endCustomerSessions(deps, { ...body, id: params.id, actor }),
  );
}

const pages = pagedBy('customers', uuidKey);

const querystring = pages.query.extend({
  status: optional(customerStatus),
  from: optional(momentIn).meta({ description: 'Made then or later' }),
  to: optional(momentIn).meta({ description: 'Made before' }),
});

export function getCustomers(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/customers',
    {
      schema: {
        operationId: 'listCustomers',
        summary: 'Customers, newest first: who they are, and how they stand',
        querystring,
        response: { 200: listOf(listedCustomerShape) },
      },
    },
    async ({ actor, query }) =>
      pages.page(await readLong(actor, async (db) => listCustomers({ db }, query)), query, toListedCustomer),
  );
}
