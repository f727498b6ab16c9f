import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { text } from '#wire/text.ts';
import { sendConsolePage } from './look/layout.ts';
import { NEXT_MAX } from './session.ts';
import { signInPage } from './sign-in-page.ts';

const querystring = z.object({ next: text(NEXT_MAX).optional() });

/** The page on which an operator signs in. */
export function getSignIn(app: ZodApp): void {
  const config = { anybody: true };
  app.get('/sign-in', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const { next } = request.query;
    // A session is not sent along from another site: there, whoever is signed in need only go on.
    const isFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site';
    return sendConsolePage(reply, 200, signInPage({ next, isFromElsewhere }));
  });
}
