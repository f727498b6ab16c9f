import type { ZodApp } from '#http/zod-app.ts';
import { signOut } from '#modules/operators';
import { assertConsoleForm, CONSOLE, type SessionDeps, sealedBody, setSession, visitorOf } from './session.ts';

/** Ends the session, here and on the server. */
export function postSignOut(app: ZodApp, deps: SessionDeps): void {
  app.post('/sign-out', { schema: { hide: true, body: sealedBody } }, async (request, reply) => {
    assertConsoleForm(deps, request, request.body.form);
    await signOut(deps, visitorOf(request).session);
    return setSession(deps, reply).redirect(`${CONSOLE}/sign-in`, 303);
  });
}
