import { z } from 'zod';
import type { listChanges } from '#modules/audit';
import { momentOut } from '#wire/moment.ts';
import { personal } from '#wire/personal.ts';

const state = personal(z.record(z.string(), z.unknown()), 'record').optional();

/** A change that somebody made. */
export const auditEntryShape = z.object({
  id: z.int(),
  at: momentOut,
  actor: z.string().meta({ example: 'operator:01997a3c-5d1e-7b3f-8a2c-4e6f8091a2b3 Ngozi Eze' }),
  action: z.string().meta({ example: 'wallet.change' }),
  target: z.string().meta({ example: 'PW-7' }),
  before: state.meta({ example: { status: 'Enabled' } }),
  after: state.meta({ example: { status: 'PND' } }),
  reason: personal(z.string(), 'prose').optional(),
  requestId: z.string().optional().meta({ description: 'X-Request-Id of the request that made the change' }),
});

type Item = Awaited<ReturnType<typeof listChanges>>['items'][number];

/** A change, as it is answered. */
export const toAuditEntry = ({
  at,
  before,
  after,
  reason,
  requestId,
  ...item
}: Item): z.input<typeof auditEntryShape> => ({
  ...item,
  at: at.toISOString(),
  before: before ?? undefined,
  after: after ?? undefined,
  reason: reason ?? undefined,
  requestId: requestId ?? undefined,
});
