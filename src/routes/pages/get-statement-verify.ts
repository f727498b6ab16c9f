import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusalOf } from '#http/failures.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import { fact, type Html, html, name } from '#lib/html.ts';
import { type VerifiedStatement, verifyStatement } from '#modules/statements';
import { type ErrorMessage, messageOf } from './error-messages.ts';
import { type Page, sendPage } from './page.ts';
import type { Texts } from './texts.ts';

const querystring = z.object({ code: z.string().max(200).optional() });

/** Verifies a printed statement by its code: whether it is ours, and what the genuine one says. */
export function getStatementVerify(app: ZodApp, deps: DepsOf<typeof verifyStatement>): void {
  const schema = { hide: true, querystring };
  app.get('/statement/verify', { errorHandler: refuseCode, schema }, async (request, reply) => {
    const { code = '' } = request.query;
    if (code === '') return sendPage(reply, 200, askForCode());
    const paper = await verifyStatement(deps, { code, ip: request.ip });
    return sendPage(reply, 200, verified(paper));
  });
}

const askForCode =
  (problem?: ErrorMessage): Page =>
  (t) => {
    const heading = problem === undefined ? t.text('verify.title') : problem.title(t);
    const text = problem === undefined ? t.text('verify.about') : problem.text(t);
    return { title: heading, body: html`<h1>${heading}</h1><p>${text}</p>${codeForm(t)}` };
  };

const codeForm = (t: Texts): Html => html`
<form method="get" action="/statement/verify">
<div class="field"><label for="code">${t.text('verify.code')}</label>
<p class="hint" id="hint">${t.text('verify.hint')}</p>
<input id="code" name="code" required maxlength="60" autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="hint"></div>
<div class="buttons"><button class="main">${t.text('verify.submit')}</button></div>
</form>`;

const verified =
  (paper: VerifiedStatement): Page =>
  (t) => ({
    title: t.text('verify.ours.title'),
    body: html`<h1>${t.text('verify.ours.title')}</h1><p>${t.text('verify.ours.text')}</p>
<dl>${[
      fact(t.text('verify.holder'), name(paper.holder)),
      fact(t.text('verify.account'), t.html('verify.account.ends', { digits: paper.account }), name(paper.partner)),
      fact(t.text('verify.period'), name(paper.period)),
      fact(t.text('verify.opening'), name(paper.opening)),
      fact(t.text('verify.credits'), name(paper.credits)),
      fact(t.text('verify.debits'), name(paper.debits)),
      fact(t.text('verify.closing'), name(paper.closing), name(paper.currency)),
      fact(t.text('verify.lines'), html`${t.text('verify.lines.count', { count: paper.lines })}`),
      fact(t.text('verify.issued'), name(paper.issued)),
    ]}</dl>
<div class="panel"><p>${t.text('verify.differs')}</p></div>
<section><h2>${t.text('verify.another')}</h2>${codeForm(t)}</section>`,
  });

const messages: Partial<Record<ErrorCode, ErrorMessage>> = {
  STATEMENT_NOT_FOUND: messageOf('error.paper.title', 'error.paper.text'),
  INVALID_PARAMETER: messageOf('error.paper.title', 'error.paper.text'),
  TOO_MANY_REQUESTS: messageOf('error.tooMany.title', 'error.verifications.text'),
};
const onOurSide = messageOf('error.ours.title', 'error.page.text');

/** A person who scanned the code of a statement gets a page, whatever their camera accepts. */
function refuseCode(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { error, status } = refusalOf(thrown, request, reply);
  sendPage(reply, status, askForCode(messages[error.code] ?? onOurSide));
}
