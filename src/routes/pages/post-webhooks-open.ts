import { z } from 'zod';
import { assertFormIsOurs } from '#http/pages.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { verbatim } from '#lib/text/input.ts';
import { openPortalLink } from '#modules/clients';
import { refusePortal, sealedBody, sessionCookie } from './portal.ts';

type Deps = DepsOf<typeof openPortalLink> & DepsOf<typeof assertFormIsOurs>;

const body = sealedBody.extend({ token: verbatim(z.string().max(300)) });

/** Turns the token of a link into a session, which the browser keeps for these pages alone. */
export function postWebhooksOpen(app: ZodApp, deps: Deps): void {
  app.post('/webhooks/open', { errorHandler: refusePortal, schema: { hide: true, body } }, async (request, reply) => {
    const { form: seal, token } = request.body;
    assertFormIsOurs(deps, { subject: `webhooks link:${token}`, seal, headers: request.headers });
    const { session, expiresAt } = await openPortalLink(deps, token);
    const maxAgeS = (expiresAt.getTime() - deps.clock.now().getTime()) / 1000;
    return reply.header('set-cookie', sessionCookie(deps.publicUrl, session, maxAgeS)).redirect('/webhooks', 303);
  });
}
