import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForms } from '#http/bodies.ts';
import { refusalOf } from '#http/failures.ts';
import { noStore } from '#http/headers.ts';
import { neverShed } from '#http/overload.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import type { Brand } from '#lib/brand.ts';
import { html } from '#lib/html.ts';
import { mountActions } from './actions/do-action.ts';
import { reads } from './catalogue/operations.ts';
import { getActions } from './get-actions.ts';
import { getAssets } from './get-assets.ts';
import { getConsole } from './get-console.ts';
import { getOpen } from './get-open.ts';
import { getOperations } from './get-operations.ts';
import { getSignIn } from './get-sign-in.ts';
import { consoleLookOf, sendConsolePage, sendNothingHere } from './look/layout.ts';
import { head, sentence, titleOfRefusal } from './look/parts.ts';
import { postSearch } from './post-search.ts';
import { postSignIn } from './post-sign-in.ts';
import { postSignOut } from './post-sign-out.ts';
import { routeOf, sendRead } from './reads/read-page.ts';
import { CONSOLE, requireSession, type SessionDeps } from './session.ts';

const endpoints = [
  getConsole,
  getSignIn,
  postSignIn,
  postSignOut,
  getAssets,
  getOperations,
  getOpen,
  getActions,
  postSearch,
];

type Deps = SessionDeps & DepsOfEndpoints<typeof endpoints> & { brand: Brand };

/** Bytes of a form: what fills the longest one, in letters that take most. */
const FORM_MAX = 64 * 1024;

/**
 * The console: the operator API as pages. Every page calls the API as the signed-in operator, and can do nothing that the API
 * does not allow.
 */
export const consolePlugin = (deps: Deps) => async (app: ZodApp) => {
  noStore(app);
  neverShed(app);
  app.decorate('consoleLook', consoleLookOf(deps.brand));
  app.setErrorHandler(refuse);
  requireSession(app, deps);
  app.removeAllContentTypeParsers();
  readForms(app);
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= FORM_MAX;
  });
  for (const endpoint of endpoints) endpoint(app, deps);
  await mountActions(app, deps);
  for (const operation of reads) {
    app.get(routeOf(operation), { schema: { hide: true } }, async (request, reply) =>
      sendRead(deps, operation, request, reply),
    );
  }
  app.setNotFoundHandler(async (_request, reply) => sendNothingHere(reply));
};

/** What the console itself refuses, as a page: a form that is not ours, and what went wrong. */
function refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { error, status } = refusalOf(thrown, request, reply);
  const title = titleOfRefusal(status);
  void sendConsolePage(reply, status, {
    title,
    body: html`${head(title)}<div class="panel alert" role="alert"><h2>${error.code}</h2><p>${sentence(error.message)}</p></div><p class="pages"><a href="${CONSOLE}">Overview</a></p>`,
  });
}
