import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { bringApplicationForward, bringPartnerForward } from '#modules/sandbox';
import type { SandboxCaller } from './shapes.ts';

const YEAR_S = 365 * 24 * 60 * 60;

const count = z.int().min(0).meta({ example: 1 });
const movedOf = {
  partner: z.object({
    onboardingSessions: count.meta({ description: 'Creations, resets of a password and changes of a contact' }),
    otps: count.meta({ description: 'Codes of these sessions that were sent and not given yet' }),
    authCodes: count,
    customerSessions: count.meta({
      description: 'Their tokens are good so much shorter, and the links of statements too',
    }),
    statements: count.meta({ description: 'How long they can be fetched' }),
    splits: count,
    disputes: count.meta({ description: 'Open ones, about wallets of yours' }),
    payouts: count.meta({ description: 'On their way, or to be looked at once more' }),
  }),
  application: z.object({
    claims: count,
    links: count,
    ownerCodes: count.meta({ description: 'With which owners of tags prove themselves for these' }),
    transactions: count,
  }),
} as const;

const body = z.object({
  seconds: z.int().min(1).max(YEAR_S).meta({ description: 'How far; a year at most', example: 3600 }),
});

type Deps = DepsOf<typeof bringPartnerForward> & DepsOf<typeof bringApplicationForward>;

export function postTime(app: ZodApp, deps: Deps, { kind, operationId, security, ownerOf }: SandboxCaller): void {
  const moved = movedOf[kind].meta({ description: 'How many were brought forward, by what they are' });
  app.post(
    '/time',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: operationId('markTimeForward'),
        summary: 'Move time forward for your own records that expire, and for no other caller’s',
        security,
        body,
        response: { 200: z.object({ seconds: body.shape.seconds, moved }) },
      },
    },
    async (request) => {
      const { seconds } = request.body;
      const ownerId = ownerOf(request);
      const answer =
        kind === 'partner'
          ? await bringPartnerForward(deps, { partnerId: ownerId, seconds })
          : await bringApplicationForward(deps, { applicationId: ownerId, seconds });
      return { seconds, moved: answer };
    },
  );
}
