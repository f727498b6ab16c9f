import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusalOf, sendFailure } from '#http/failures.ts';
import { prefersHtml } from '#http/headers.ts';
import { failureShape, withCodes } from '#http/openapi-meta.ts';
import { assertFormIsOurs, sealForm } from '#http/pages.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import { fact, type Html, handle, html, name } from '#lib/html.ts';
import { verbatim } from '#lib/text/input.ts';
import { type AuthenticationMethods, answers, type Proof, type TagOwner } from '#modules/consent';
import { channels } from '../../providers/messaging/port.ts';
import { type ErrorMessage, errorMessageOf } from './error-messages.ts';
import { type Page, sendPage } from './page.ts';
import type { Texts } from './texts.ts';

type ErrorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** A page on which a tag's owner answers what an application asks of them. */
export interface ApprovalPage {
  /** Its path, for a token. */
  pathOf: (token: string) => string;
  /** Answers the page, with the request as it is now. */
  show: (reply: FastifyReply, token: string, options: { hasCode: boolean }) => Promise<FastifyReply>;
  /** @throws DomainError FORM_REFUSED for a form that does not come from this page */
  assertFormIsOurs: (token: string, form: { seal: string; headers: IncomingHttpHeaders }) => void;
  /** An error handler: it answers a page that says what was refused, above the form while there still is one. */
  refuse: ErrorHandler;
  /** The same for a browser; for a program it answers in the Envelope. */
  refuseByAccept: ErrorHandler;
}

/** How the page of one kind of request differs from that of another. */
export interface PageKind<Deps, Request> {
  /** The segment of its path. Its forms are sealed for it too. */
  segment: 'consent' | 'federation';
  /** The name of the token among the parameters of its routes. */
  param: string;
  open: (deps: Deps, token: string) => Promise<Request>;
  pageOf: (request: Request, options: PageOptions) => Page;
}

/** After these refusals there still is a code to enter. */
const CODE_STILL_AWAITED = new Set<ErrorCode>(['OTP_INVALID', 'OTP_EXPIRED', 'OTP_COOLDOWN', 'OTP_SENDS_EXCEEDED']);

/** What the forms of a page are sealed and checked with. */
export type FormDeps = DepsOf<typeof sealForm> & DepsOf<typeof assertFormIsOurs>;

/** The page of every request of one kind. */
export function approvalPage<Deps, Request>(deps: Deps & FormDeps, kind: PageKind<Deps, Request>): ApprovalPage {
  const { segment, open, pageOf } = kind;
  const sealedFor = (token: string) => `${segment}:${token}`;
  const pathOf = (token: string) => `/api/v1/${segment}/${encodeURIComponent(token)}`;
  const render = async (
    { server }: FastifyReply,
    token: string,
    options: { hasCode: boolean; problem?: ErrorMessage },
  ) => {
    const form = { path: pathOf(token), seal: sealForm(deps, sealedFor(token)), testCode: server.testing?.code };
    return pageOf(await open(deps, token), { ...form, ...options });
  };

  const refuse: ErrorHandler = (thrown, request, reply) => {
    const { error, status } = refusalOf(thrown, request, reply);
    const token = String(Object(request.params)[kind.param] ?? '');
    const problem = errorMessageOf(error, status);
    render(reply, token, { hasCode: CODE_STILL_AWAITED.has(error.code), problem })
      .catch(() => messagePage(problem))
      .then((page) => sendPage(reply, status, page))
      .catch((failed: unknown) => sendFailure(failed, request, reply));
  };

  return {
    pathOf,
    show: async (reply, token, options) => sendPage(reply, 200, await render(reply, token, options)),
    assertFormIsOurs: (token, form) => assertFormIsOurs(deps, { subject: sealedFor(token), ...form }),
    refuse,
    refuseByAccept: (error, request, reply) => {
      if (prefersHtml(request.headers.accept)) refuse(error, request, reply);
      else sendFailure(error, request, reply);
    },
  };
}

/** The query that such a page is opened with. */
export const pageQuery = z.object({
  with: z
    .unknown()
    .optional()
    .meta({ type: 'string', description: '`code`: the page asks for the code that was sent' }),
});

/** An answer that is JSON for a program, and a page for a browser. */
export const orPage = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema }, 'text/html': { schema: z.string() } },
});

/** What such an operation answers where nothing waits for an answer any more. */
export const orPageFailures = (unknown: ErrorCode, expired: ErrorCode) => ({
  404: withCodes(orPage('Unknown', failureShape), [unknown]),
  410: withCodes(orPage('Expired', failureShape), [expired]),
});

/** What a page is rendered with, besides the request itself. */
export interface PageOptions {
  path: string;
  seal: string;
  /** The code that is always sent, where messages are simulated. */
  testCode: string | undefined;
  /** A code was sent a moment ago. */
  hasCode: boolean;
  /** What was refused. */
  problem?: ErrorMessage | undefined;
}

export const formContext = (
  approver: Approver,
  { path, seal, testCode, problem }: PageOptions,
  hasApproved = false,
): FormContext => ({
  approver,
  mayApprove: !hasApproved && !approver.isSuspended,
  path,
  seal,
  testCode,
  wrongField: problem?.field,
  hasProblem: problem !== undefined,
});

/** The title of a page, after what was refused. */
export const titleWith = (t: Texts, { problem }: PageOptions, title: string): string =>
  problem === undefined ? title : `${problem.title(t)} – ${title}`;

/** What was refused, to be read first, with a link to the field that it is about. */
export const errorAlert = (t: Texts, { title, text, field }: ErrorMessage, { attemptsLeft }: Approver): Html =>
  html`<div class="panel alert" id="problem" role="alert" tabindex="-1" autofocus><h2>${title(t)}</h2><p>${
    field === undefined ? text(t) : html`<a href="#${field}">${text(t)}</a>`
  }</p>${attemptsLeft < 5 && html`<p>${t.text('approval.attemptsLeft', { count: attemptsLeft })}</p>`}</div>`;

/** Says that a suspended tag can only be declined, unless that was just refused. */
export const suspendedNotice = (t: Texts, { isSuspended }: Approver, { problem }: PageOptions): Html | undefined =>
  isSuspended && problem === undefined
    ? html`<div class="panel"><h2>${t.text('error.suspended.title')}</h2><p>${t.text('error.suspended.text')}</p></div>`
    : undefined;

/** The forms to answer by, or where to answer when this page has none. */
export function answerForms(t: Texts, context: FormContext, hasCode: boolean): Html {
  const { owner, tagString, authenticationMethods: methods } = context.approver;
  if (!methods.password && methods.channels.length === 0) {
    const values = { tag: handle(tagString), application: name(owner.applicationName) };
    return html`<section><h2>${t.text('approval.nowhere')}</h2><p>${t.html('approval.nowhere.text', values)}</p></section>`;
  }
  if (hasCode) {
    return html`${codeForm(t, context)}${sendForm(t, context, 'approval.send.again')}${methods.password && html`<p><a href="${context.path}">${t.text('approval.password.instead')}</a></p>`}`;
  }
  return html`${methods.password && passwordForm(t, context)}${sendForm(t, context, methods.password ? 'approval.send.or' : 'approval.send')}${
    methods.password && html`<p class="note">${t.text('approval.password.none')}</p>`
  }`;
}

export const untilFact = (t: Texts, at: Date): Html =>
  fact(
    t.text('approval.until'),
    html`<time datetime="${at.toISOString()}">${t.moment(at)}</time>`,
    t.text('page.lagosTime'),
  );

/** The page of the asking application that the owner returns to, and the request that the link names. */
export interface WayBack {
  returnUrl: string | undefined;
  requestedByAppName: string;
  request: { consentId: string } | { linkId: string };
}

/** A link back to the application, with what became of its request: no secret, and nothing that it could not read itself. */
export function linkBack(
  t: Texts,
  { returnUrl, requestedByAppName, request }: WayBack,
  outcome: 'approved' | 'declined' | 'ended',
): Html | undefined {
  if (returnUrl === undefined) return undefined;
  const query = new URLSearchParams({ ...request, outcome }).toString();
  const address = `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}${query}`;
  return html`<p class="back"><a href="${address}">${t.html('approval.back', { asker: name(requestedByAppName) })}</a></p>`;
}

/** What became of a request: there is nothing left to do. */
export const endPage =
  (title: (t: Texts) => string, text: (t: Texts) => Html, back: (t: Texts) => Html | undefined): Page =>
  (t) => ({
    title: title(t),
    body: html`<h1>${title(t)}</h1>
<div class="panel" role="status"><p>${text(t)}</p></div>
${back(t) ?? html`<p class="note">${t.text('page.close')}</p>`}`,
  });

/** Nothing but what happened, and what to do about it. */
export const messagePage =
  ({ title, text }: ErrorMessage, back?: WayBack): Page =>
  (t) => ({
    title: title(t),
    body: html`<h1>${title(t)}</h1><p>${text(t)}</p>${back && linkBack(t, back, 'ended')}`,
  });

/** The page of a request that takes no more attempts. */
export const lockedOutPage = (back: WayBack): Page =>
  messagePage(errorMessageOf({ code: 'CONSENT_ATTEMPTS_EXCEEDED', retryAfterS: undefined }, 429), back);

const formSeal = z.string().max(100);

const shared = { form: formSeal, answer: z.enum(answers) };

/** What the forms of passwordForm() and codeForm() send. */
export const answerBody = z.discriminatedUnion('by', [
  z.object({
    ...shared,
    by: z.literal('password'),
    paytag: z.string().max(64),
    password: verbatim(z.string().max(256)),
  }),
  z.object({ ...shared, by: z.literal('code'), code: z.string().max(12) }),
]);

/** The owner's proof in an answer. */
export const proofOf = ({ body: given, ip }: { body: z.output<typeof answerBody>; ip: string }): Proof =>
  given.by === 'password'
    ? { by: 'PASSWORD', paytag: given.paytag, password: given.password, address: ip }
    : { by: 'OTP', code: given.code.replaceAll(/\s/g, ''), address: ip };

/** What the form of sendForm() sends. */
export const codeRequestBody = z.object({ form: formSeal, channel: z.enum(channels) });

/** Who is asked to prove that a tag is theirs, and how they can. */
export interface Approver {
  tagString: string;
  owner: TagOwner;
  /** Then nothing can be approved, but it can be declined. */
  isSuspended: boolean;
  authenticationMethods: AuthenticationMethods;
  /** How many more wrong proofs the request takes. */
  attemptsLeft: number;
}

/** What the forms of one page share. */
export interface FormContext {
  approver: Approver;
  /** False after an approval, and while the tag is suspended. */
  mayApprove: boolean;
  /** The path of the page: its forms are posted there. */
  path: string;
  /** Proves that a form is ours when it comes back. */
  seal: string;
  /** The code that is always sent, where messages are simulated: it is shown at its field. Never in live. */
  testCode: string | undefined;
  /** The field whose value was refused. */
  wrongField: 'password' | 'code' | undefined;
  /** Something was refused: its message is read first. */
  hasProblem: boolean;
}

const hidden = (field: string, value: string): Html => html`<input type="hidden" name="${field}" value="${value}">`;

/** The ARIA attributes of a field: whether it was refused, and what describes it. */
const described = (isWrong: boolean, hint?: string): Html => {
  const by = [isWrong ? 'problem' : '', hint ?? ''].filter((id) => id !== '').join(' ');
  return html`${isWrong && html` aria-invalid="true"`}${by !== '' && html` aria-describedby="${by}"`}`;
};

/** Approve and decline; only decline where nothing may be approved. */
const answerButtons = (t: Texts, { mayApprove }: FormContext): Html => html`<div class="buttons">
${mayApprove && html`<button class="main" name="answer" value="approve">${t.text('approval.approve')}</button>`}
<button name="answer" value="decline">${t.text('approval.decline')}</button>
</div>`;

/** PayTag and password, for the owner of a PayTag, and the answer. */
const passwordForm = (t: Texts, context: FormContext): Html => html`<section>
<h2>${t.text('approval.password')}</h2>
<form method="post" action="${context.path}">
${hidden('form', context.seal)}
${hidden('by', 'password')}
<div class="field"><label for="paytag">${t.text('approval.password.paytag')}</label>
<input id="paytag" name="paytag" value="@${context.approver.tagString}" dir="ltr" required maxlength="64" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"></div>
<div class="field"><label for="password">${t.text('approval.password.field')}</label>
<input id="password" name="password" type="password" required maxlength="256" autocomplete="current-password"${described(context.wrongField === 'password')}></div>
${answerButtons(t, context)}
</form>
</section>`;

/** Says the same whether or not a customer has such an address: any application can send anybody here. */
const codeNotice = (t: Texts, { owner, tagString }: Approver): Html =>
  t.html(owner.isCustomer ? 'approval.code.customer' : 'approval.code.owner', { tag: handle(tagString) });

/** The code that was sent, and the answer. */
const codeForm = (t: Texts, context: FormContext): Html => html`<section>
<h2>${t.text('approval.code')}</h2>
<p role="status">${codeNotice(t, context.approver)}</p>
<form method="post" action="${context.path}">
${hidden('form', context.seal)}
${hidden('by', 'code')}
<div class="field"><label for="code">${t.text('approval.code.field')}</label>
<p class="hint" id="code-hint">${t.text('approval.code.hint')}${context.testCode !== undefined && html` ${t.text('approval.code.test', { code: context.testCode })}`}</p>
<input class="code" id="code" name="code" dir="ltr" required inputmode="numeric" pattern="[0-9 ]*" maxlength="12" autocomplete="one-time-code"${described(context.wrongField === 'code', 'code-hint')}${!context.hasProblem && html` autofocus`}></div>
${answerButtons(t, context)}
</form>
</section>`;

/** Has a code sent, by the channel that the owner chooses where there is more than one. */
function sendForm(
  t: Texts,
  { approver, path, seal }: FormContext,
  title: 'approval.send' | 'approval.send.or' | 'approval.send.again',
): Html {
  const usable = approver.authenticationMethods.channels;
  const choices = usable.map(
    (channel, index) =>
      html`<label class="choice"><input type="radio" name="channel" value="${channel}"${index === 0 && html` checked`}> ${t.text(`approval.send.${channel}`)}</label>`,
  );
  const choice =
    usable.length === 1
      ? hidden('channel', usable[0] ?? '')
      : html`<fieldset><legend>${t.text('approval.send.how')}</legend>${choices}</fieldset>`;
  const tag = handle(approver.tagString);
  const where = approver.owner.isCustomer
    ? t.html('approval.send.customer', { tag })
    : t.html('approval.send.owner', { tag, application: html`<bdi>${approver.owner.applicationName}</bdi>` });
  return html`<section>
<h2>${t.text(title)}</h2>
<p class="hint">${where}</p>
<form method="post" action="${path}/code">
${hidden('form', seal)}
${choice}
<button class="quiet">${t.text('approval.send.button')}</button>
</form>
</section>`;
}
