import { fact, type Html, html } from '#lib/html.ts';
import { nameOfAction, offered, offersOfItem } from '../catalogue/offers.ts';
import { allOperations, asRoute, type OperatorOperation, operationNamed } from '../catalogue/operations.ts';
import { addressOfThing, defaultCurrency, type Members } from '../catalogue/things.ts';
import { labelOf, shortOf } from '../catalogue/words.ts';
import { chosenOf } from '../look/parts.ts';
import { factsOf } from '../look/table.ts';
import { moment, moneyText } from '../look/values.ts';
import { everything, headOfThing } from '../reads/item-page.ts';
import { listPage } from '../reads/list-page.ts';
import type { Ask, PagePart, Shown } from '../reads/shown.ts';
import { learnNames } from '../reads/shown.ts';
import type { ConsoleVisitor } from '../session.ts';

/** Requests shown as cards; the list below has them all. */
const SHOWN_MAX = 20;

const ENDED = ['decidedBy.name', 'decidedAt', 'endedAt', 'errorCode', 'id'];

/** A request that waits for another operator: what will happen, who asked for it and why, and until when it can be decided. */
export async function approvalPage(shown: Shown): Promise<PagePart> {
  const { visitor, operation, answer } = shown;
  await learnWhom(visitor, shown.ask, [answer]);
  const title = nameOf(answer);
  return {
    title,
    body: html`${headOfThing(shown, { title, lead: 'A request that another operator decides' })}
<div class="panel"><h2>${answer['status'] === 'PENDING' ? 'What will happen' : 'What was requested'}</h2><p>${whatWillHappen(visitor, answer)}</p></div>
${isOwn(visitor, answer) && answer['status'] === 'PENDING' && html`<p class="note">You made this request: another operator decides it.</p>`}
${asked(answer)}
${factsOf(visitor, chosenOf(operation.columns, ENDED), answer)}
${everything(shown)}`,
  };
}

/** Pending requests, each with what will happen; below them all requests ever made. */
export async function approvalsPage(shown: Shown): Promise<PagePart> {
  const items = shown.answer['items'] as Members[];
  const waiting = items.filter(({ status }) => status === 'PENDING').slice(0, SHOWN_MAX);
  const whole = await Promise.all(waiting.map(async ({ id }) => shown.ask('getApproval', { id: String(id) })));
  const found = whole.filter((one) => one !== undefined);
  await learnWhom(shown.visitor, shown.ask, found);
  const currencies = new Map(found.map((one) => [one['id'], currencyAsked(one)]));
  const cards = found.map((one) => card(shown, one));
  const inWords = {
    ...shown.answer,
    items: items.map((item) => ({ ...item, operation: nameOf(item), currency: currencies.get(item['id']) })),
  };
  const before = cards.length === 0 ? html`` : html`<div class="cards" id="waiting">${cards}</div>`;
  return listPage({ ...shown, answer: inWords }, { before });
}

function card({ visitor }: Shown, approval: Members): Html {
  const id = String(approval['id']);
  const operation = operationNamed('getApproval');
  const address = addressOfThing(visitor, 'getApproval', id) ?? '';
  const offers = operation === undefined ? [] : offersOfItem(visitor, operation, { id }, approval);
  return html`<section><h2><a href="${address}"><bdi>${nameOf(approval)}</bdi></a></h2><p>${whatWillHappen(visitor, approval)}</p>${asked(approval)}${
    isOwn(visitor, approval)
      ? html`<p class="note">You made this request: another operator decides it.</p>`
      : offered(offers, 'Decide')
  }</section>
`;
}

const nameOf = (approval: Members): string => {
  const operation = operationOf(approval as { operation: string });
  return operation === undefined ? String(approval['operation']) : nameOfAction(operation);
};

/** The currency of a request, if the operator may see its body. */
function currencyAsked(approval: Members): unknown {
  const operation = operationOf(approval as { operation: string });
  const { body } = Object(approval['request']) as { body?: Members };
  return body?.['currency'] ?? (body && operation && defaultCurrency(operation));
}

const isOwn = ({ operator }: ConsoleVisitor, { requestedBy }: Members): boolean =>
  (requestedBy as { id: string }).id === operator.id;

function asked(approval: Members): Html {
  const { requestedBy, createdAt, expiresAt, request } = approval as {
    requestedBy: { name: string };
    createdAt: string;
    expiresAt: string;
    request?: { body?: { reason?: string } };
  };
  const reason = request?.body?.reason;
  return html`<dl class="facts">${fact('Requested by', html`<bdi>${requestedBy.name}</bdi>`)}${fact('On', moment(createdAt))}${fact('Until', moment(expiresAt))}${
    reason !== undefined && fact('Why', html`<bdi>${reason}</bdi>`)
  }</dl>`;
}

/** A request that waits for another operator, as its page shows it. */
interface Waiting {
  operation: string;
  amount?: number;
  requestedBy: { id: string; name: string };
  /** Hidden from viewers. */
  request?: { params: Readonly<Record<string, string>>; body?: Members };
}

interface RequestFacts {
  /** A part of the path or of the body, as text. */
  given: (name: string) => string;
  /** The amount, with its currency; in words where all of something is meant. */
  money: (ifAbsent?: string) => Html;
  /** What a part names, as the way to it. */
  to: (operationId: string, name: string, what: string) => Html;
  request: Waiting;
}

/** What will happen when a request is approved, by its operation, as a sentence. */
export const sentences: Readonly<Record<string, (facts: RequestFacts) => Html>> = {
  fundFloat: ({ money, to, given }) =>
    html`${money()} will be added to the float of ${to('getPartner', 'id', 'this partner')}, under the reference ${code(given('reference'))}.`,
  settleFloat: ({ money, to, given }) =>
    html`${money()} will be taken out of the float of ${to('getPartner', 'id', 'this partner')}, as paid out to it, under the reference ${code(given('reference'))}.`,
  fundApplication: ({ money, to, given }) =>
    html`${money()} will be added to what ${to('getApplication', 'id', 'this application')} has with us, under the reference ${code(given('reference'))}.`,
  settleApplication: ({ money, to, given }) =>
    html`${money()} will be taken out of what ${to('getApplication', 'id', 'this application')} has with us, as paid out to it, under the reference ${code(given('reference'))}.`,
  reportPayment: ({ money, given, to }) =>
    html`${money()} will be booked as a payment that came in (${code(given('type'))}), under the reference ${code(given('reference'))}${destination(given, to)}.`,
  refundTransaction: ({ money, to }) =>
    html`${money('All that is left')} of ${to('getTransaction', 'reference', 'this transaction')} will be given back to who paid.`,
  reverseTransaction: ({ to }) =>
    html`${to('getTransaction', 'reference', 'This transaction')} will be undone, whole and with its charges.`,
  resolveSuspense: ({ money, given, to }) =>
    html`${money('The money')} in suspense will ${
      {
        wallet: html`be credited to ${to('getWallet', 'walletReference', 'this wallet')}`,
        float: html`be credited to the float of its partner`,
      }[given('to')] ?? html`be returned to the rail that it came from`
    }.`,
  createRemittance: ({ money, given }) =>
    html`It will be booked that ${money()} of the account ${code(given('account'))} has left our bank, under the reference ${code(given('reference'))}.`,
  creditInboxMessage: ({ money, to }) =>
    html`${money('The amount')} of ${to('getInboxMessage', 'id', 'this message')} will be credited to ${to('getWallet', 'walletReference', 'this wallet')}.`,
  correctPayout: ({ money, to, given }) =>
    html`${money('The amount')} of ${to('getPayout', 'id', 'this payout')}, which failed and was paid all the same, will be ${given('account') === 'WALLET' ? 'taken out of its wallet' : 'booked as a difference that is ours to explain'}.`,
  markPayout: ({ to, given }) =>
    html`${to('getPayout', 'id', 'This payout')} will be marked as ${code(given('outcome'))}, and its money follows.`,
  resolveReconciliationItem: ({ money, given }) =>
    html`An item of the reconciliation will be resolved by ${code(given('action'))}: ${money('its whole amount')}.`,
  decideDispute: ({ money, to, given }) =>
    html`${to('getDispute', 'id', 'This dispute')} will be ${given('outcome') === 'LOST' ? html`lost: ${money('its amount')} goes back to the payer` : 'won: the receiver keeps the money'}.`,
  handBackBvn: ({ to }) =>
    html`${to('getCustomer', 'id', 'This customer')} will lose their BVN, which goes back to its owner; their PayTag stays frozen with its money.`,
  revealCustomers: ({ request: { requestedBy, request } }) => {
    const { ids = [], fields = [] } = (request?.body ?? {}) as { ids?: string[]; fields?: string[] };
    const what = fields.length === 0 ? 'all personal data' : fields.map(labelOf).join(', ');
    return html`<bdi>${requestedBy.name}</bdi> will see <bdi>${what}</bdi> of ${ids.length === 1 ? 'one customer' : `${ids.length} customers`}.`;
  },
  createApiKey: ({ to }) =>
    html`${to('getPartner', 'id', 'This partner')} will have one more API key. ${toOwner('Its holder can credit and pay out as the partner')}`,
  rotateClientSecret: ({ to, request }) =>
    html`${to('getApplication', 'id', 'This application')} will have a new client secret; the one before is taken ${request.request?.body?.['immediately'] === true ? 'no more' : 'for another day'}. ${toOwner('Its holder can act as the application')}`,
  rotatePartnerWebhookSecret: ({ to }) =>
    html`Webhooks to ${to('getPartner', 'id', 'this partner')} will be signed with a new secret. ${toOwner('Its holder can sign as we do')}`,
  rotateApplicationWebhookSecret: ({ to }) =>
    html`Webhooks to ${to('getApplication', 'id', 'this application')} will be signed with a new secret. ${toOwner('Its holder can sign as we do')}`,
  changePartner: ({ to, given, request }) => {
    const body = request.request?.body ?? {};
    const members = ['name', 'redirectUrl', 'webhookUrl', 'contactEmail'].filter((name) => body[name] !== undefined);
    const changed = members.map(
      (name, at) => html`${at > 0 && ', '}${labelOf(name)}: ${body[name] === null ? 'none' : code(given(name))}`,
    );
    return html`Of ${to('getPartner', 'id', 'this partner')} there will be changed ${changed}. Its customers’ logins go to the redirect URL, its events to the webhook URL, and its new secrets to the contact.`;
  },
  changeWallet: ({ to, given, money }) => {
    const changed = [
      given('status') !== '' && html`will be ${code(given('status'))}`,
      given('dailyLimit') !== '' && html`may spend ${code(given('dailyLimit'))} in a day`,
      given('tier') !== '' && html`will be of tier ${code(given('tier'))}`,
    ].filter((one) => one !== false);
    const what = changed.map((one, at) => html`${at > 0 && ', '}${one}`);
    return html`${to('getWallet', 'reference', 'This wallet')} ${changed.length === 0 ? 'will have the limit of its tier' : what}: ${money()} can be spent that could not be.`;
  },
  liftLien: ({ money, to }) =>
    html`${money()} of ${to('getWallet', 'reference', 'this wallet')} that a lien keeps back can be spent again.`,
  releaseCustomer: ({ money, to }) =>
    html`${to('getCustomer', 'id', 'This customer')} will be released: they log in again, and ${money('all')} in their wallets and in suspense for them can be spent.`,
  restorePartner: ({ money, to }) =>
    html`${to('getPartner', 'id', 'This partner')} will be let in again, with ${money('all that is')} on its floats, in its wallets and in suspense for them.`,
  restoreApplication: ({ money, to }) =>
    html`${to('getApplication', 'id', 'This application')} will be let in again, with ${money()} to settle with.`,
};

/** Where a new secret goes. */
const toOwner = (power: string): Html =>
  html`${power}; in live it is shown to its owner alone, by a link to their proven contact.`;

const code = (text: string): Html => html`<code>${text}</code>`;

function destination(given: RequestFacts['given'], to: RequestFacts['to']): Html {
  const wallet = given('walletReference');
  if (wallet !== '') return html`, into ${to('getWallet', 'walletReference', 'this wallet')}`;
  if (given('nuban') !== '') return html`, to the account number ${code(given('nuban'))}`;
  if (given('terminal') !== '') return html`, at the terminal ${code(given('terminal'))}`;
  return given('partnerId') === '' ? html`` : html`, for ${to('getPartner', 'partnerId', 'this partner')}`;
}

/** The operation that a request asks for: it is named by method and path. */
const operationOf = ({ operation }: Pick<Waiting, 'operation'>): OperatorOperation | undefined =>
  allOperations.find(({ method, path }) => `${method} ${asRoute(path)}` === operation);

/** By the first part of an operation’s path, what its id names. */
const named: Readonly<Record<string, string>> = { applications: 'applicationId', partners: 'partnerId' };

const NAMED = Object.values(named).map((name) => ({ name, kind: 'id' as const }));

/** Learns what those are called whom requests are about, so that a sentence names them. */
export async function learnWhom(visitor: ConsoleVisitor, ask: Ask, approvals: readonly Members[]): Promise<void> {
  const mentions = approvals.map((approval) => {
    const { operation, request } = approval as unknown as Waiting;
    const [, thing = ''] = operation.split('/');
    const name = named[thing];
    return name === undefined ? {} : { [name]: request?.params['id'] };
  });
  await learnNames(visitor, ask, NAMED, mentions);
}

/** What will happen, or has, when a request is approved. */
export function whatWillHappen(visitor: ConsoleVisitor, approval: Members): Html {
  const request = approval as unknown as Waiting;
  const operation = operationOf(request);
  if (operation === undefined) return code(request.operation);
  if (request.request === undefined) return html`${shortOf(operation.summary)}.`;
  const { params, body = {} } = request.request;
  const given = (name: string): string => {
    const value = params[name] ?? body[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const amount = typeof body['amount'] === 'number' ? body['amount'] : request.amount;
  const sentence = sentences[operation.operationId];
  if (sentence === undefined) return html`${shortOf(operation.summary)}.`;
  return sentence({
    given,
    request,
    money: (ifAbsent = 'The amount') =>
      amount === undefined
        ? html`${ifAbsent}`
        : html`<strong>${moneyText(amount, body['currency'] ?? defaultCurrency(operation))}</strong>`,
    to: (operationId, name, what) => {
      const value = given(name);
      const address = value === '' ? undefined : addressOfThing(visitor, operationId, value);
      const called = visitor.names.get(value);
      const text = called === undefined ? html`${what}` : html`<bdi>${called}</bdi>`;
      return address === undefined ? text : html`<a href="${address}">${text}</a>`;
    },
  });
}
