import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changePartnerStatus } from '#modules/partners';
import { reason } from '#wire/text.ts';
import { partnerParams, partnerShape, toPartner } from './shapes/partner.ts';

const body = z.object({ reason });

/** The schema of every change of a partner's status. */
export const partnerAction = {
  params: partnerParams,
  body,
  response: { 200: partnerShape, ...failuresFor(400, 401, 404, 409) },
};

interface PartnerActionRequest {
  params: z.output<typeof partnerParams>;
  body: z.output<typeof body>;
  credential: string;
}

/** Changes the status of the partner that a request names, and answers the partner as it is then. */
export async function runPartnerAction(
  deps: DepsOf<typeof changePartnerStatus>,
  action: Parameters<typeof changePartnerStatus>[1]['change'],
  request: PartnerActionRequest,
): Promise<z.input<typeof partnerShape>> {
  const change = { ...request.body, id: request.params.id, change: action, actor: request.credential };
  return toPartner(await changePartnerStatus(deps, change));
}
