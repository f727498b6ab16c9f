import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { html } from '#lib/html.ts';
import { text } from '#wire/text.ts';
import { type ConsolePage, sendConsolePage } from './look/layout.ts';
import { head, sentence } from './look/parts.ts';
import { CONSOLE, NEXT_MAX } from './session.ts';

const querystring = z.object({ next: text(NEXT_MAX).optional() });

/** The page on which an operator signs in. */
export function getSignIn(app: ZodApp): void {
  const config = { anybody: true };
  app.get('/sign-in', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const { next } = request.query;
    // Browsers send no session cookie from another site, so a signed-in operator only has to continue.
    const isFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site';
    return sendConsolePage(reply, 200, signInPage({ next, isFromElsewhere }));
  });
}

/** Where to continue after signing in: a page of the console only, whatever the address says. */
export function nextOf(next: string | undefined): string {
  if (next === undefined || !URL.canParse(next, 'http://console')) return CONSOLE;
  const { origin, pathname, search } = new URL(next, 'http://console');
  const isOurs = origin === 'http://console' && (pathname === CONSOLE || pathname.startsWith(`${CONSOLE}/`));
  return isOurs && !pathname.startsWith(`${CONSOLE}/sign-`) ? `${pathname}${search}` : CONSOLE;
}

/** The page on which an operator signs in, also after a token was refused. */
export function signInPage({
  next,
  refused,
  isFromElsewhere = false,
}: {
  next: string | undefined;
  refused?: string | undefined;
  isFromElsewhere?: boolean;
}): ConsolePage {
  const there = nextOf(next);
  return {
    title: 'Sign in',
    body: html`${head('Sign in', { lead: 'With your operator’s token, for eight hours.' })}
${refused !== undefined && html`<div class="panel alert" role="alert"><h2>Not signed in</h2><p>${sentence(refused)}</p></div>`}
${isFromElsewhere && html`<div class="panel"><h2>You come from another site</h2><p>If you are signed in, <a href="${there}">go on</a>.</p></div>`}
<form class="form" method="post" action="${CONSOLE}/sign-in"><input type="hidden" name="next" value="${there}">
<label for="user" hidden>User</label><input id="user" value="operator" autocomplete="username" readonly hidden>
<div class="field"><label for="token">Token</label><input id="token" name="token" type="password" required autocomplete="current-password" spellcheck="false" maxlength="300" aria-describedby="token-hint"><p class="hint" id="token-hint">An admin gives you one, and you can rotate it yourself. In the sandbox root’s stands in <code>.data/secrets.json</code>.</p></div>
<div class="buttons"><button class="main">Sign in</button></div>
</form>`,
  };
}
