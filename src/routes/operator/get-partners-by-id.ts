import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { getPartner as readPartner } from '#modules/partners';
import { idParams } from './shapes/params.ts';
import { partnerShape, toPartner } from './shapes/partner.ts';

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
