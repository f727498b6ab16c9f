import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { getPartner as readPartner } from '#modules/partners';
import { idParams } from './shapes/params.ts';
import { partnerShape, toPartner } from './shapes/partner.ts';

export function getPartnersById(app: ZodApp, deps: { db: Database; keyring: Keyring }): void {
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
    async (request) => toPartner(await readPartner(deps, request.params.id)),
  );
}
