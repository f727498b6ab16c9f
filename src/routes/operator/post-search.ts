import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { type Found, foundKinds, search } from '#modules/enquiries';
import { optionalReason, text } from '#wire/text.ts';

const body = z.object({
  q: text(100).meta({ description: 'What is looked for', example: 'order-1' }),
  reason: optionalReason,
});

const found = z.object({
  kind: z.enum(foundKinds),
  id: z.string().meta({ description: 'What it is read by: its id, reference, handle or serial number' }),
  title: z.string().meta({ description: 'What tells it from others; it says nothing of a person' }),
  where: z.string().meta({ description: 'What shows it, under this API', example: '/wallets/PW-1' }),
});

const paths: Readonly<Record<Found['kind'], string>> = {
  APPLICATION: '/applications',
  APPROVAL: '/approvals',
  BANK_FILE: '/reconciliation/imports',
  CUSTOMER: '/customers',
  DELIVERY: '/deliveries',
  DISPUTE: '/disputes',
  MESSAGE: '/inbox',
  PARTNER: '/partners',
  PAYOUT: '/payouts',
  REQUEST: '/requests',
  TAG: '/tags',
  TERMINAL: '/terminals',
  TRANSACTION: '/transactions',
  WALLET: '/wallets',
};

export function postSearch(app: ZodApp, deps: DepsOf<typeof search>): void {
  app.post(
    '/search',
    {
      schema: {
        operationId: 'searchRecords',
        summary:
          'Find whatever a text names: a reference, a tag, an account number, a phone, a BVN, a serial number, an id or the id of a request',
        description:
          'References of ours and of others, PayTags and tags, account numbers, serial numbers of terminals, ids of deliveries and of anything else, X-Request-Ids of what was changed or came with an Idempotency-Key, and the beginning of the name of a partner or an application. A POST, so that no phone and no BVN stands in a URL. A search by phone or BVN is audited, and counts against the searches for customers that an operator may make in an hour.',
        body,
        response: { 200: z.object({ items: z.array(found) }) },
      },
    },
    async ({ body: { q, reason }, actor }) => ({
      items: (await search(deps, { text: q, reason, actor })).map(toFound),
    }),
  );
}

const toFound = ({ kind, id, title, reference }: Found): z.input<typeof found> => ({
  kind,
  id,
  title,
  where:
    reference === undefined
      ? `${paths[kind]}/${encodeURIComponent(id)}`
      : `${paths[kind]}/${encodeURIComponent(reference)}?id=${id}`,
});
