import { z } from 'zod';
import { refusalOf } from '#http/failures.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { DomainError } from '#lib/domain-error.ts';
import { addressBlock } from '#lib/text/parse.ts';
import { signIn } from '#modules/operators';
import { nextOf, signInPage } from './get-sign-in.ts';
import { sendConsolePage } from './look/layout.ts';
import { assertFromHere, endFormerSession, NEXT_MAX, type SessionDeps, setSession } from './session.ts';

const body = z.object({ token: z.string().max(300), next: z.string().max(NEXT_MAX).optional() });

/** Signs an operator in with their token: from then on the browser has a session. */
export function postSignIn(app: ZodApp, deps: SessionDeps): void {
  const config = { anybody: true };
  app.post('/sign-in', { config, schema: { hide: true, body } }, async (request, reply) => {
    const { token, next } = request.body;
    assertFromHere(request);
    try {
      const { session, expiresAt, operator } = await signIn(deps, { token, address: addressBlock(request.ip) });
      await endFormerSession(deps, request);
      request.credential = `operator:${operator.id}`;
      const maxAgeS = (expiresAt.getTime() - deps.clock.now().getTime()) / 1000;
      app.securityLog.record('operator_signed_in', { operatorId: operator.id });
      return setSession(deps, reply, session, maxAgeS).redirect(nextOf(next), 303);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { status } = refusalOf(error, request, reply);
      return sendConsolePage(reply, status, signInPage({ next, refused: error.message }));
    }
  });
}
