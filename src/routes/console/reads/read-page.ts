import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '#lib/html.ts';
import { takeDone } from '../actions/done.ts';
import { asRoute, filled, homeOf, type OperatorOperation, parametersIn } from '../catalogue/operations.ts';
import { defaultCurrency, type Members, withCurrency } from '../catalogue/things.ts';
import { addressOf, sendConsolePage, sendNothingHere } from '../look/layout.ts';
import { head, refusal, titleOfRefusal } from '../look/parts.ts';
import { approvalPage, approvalsPage } from '../pages/approval.ts';
import { auditPage, ledgerCheckPage, settingsPage } from '../pages/control.ts';
import { overviewPage } from '../pages/overview.ts';
import { partnerPage } from '../pages/partner.ts';
import { deliveryPage, receiverPage, receiversPage } from '../pages/receiver.ts';
import { transactionPage } from '../pages/transaction.ts';
import { customerPage, partOfWalletPage, walletHistoryPage, walletPage } from '../pages/wallet.ts';
import { type ApiAnswer, askApi, CONSOLE, type Reached, visitorOf } from '../session.ts';
import { askedQuery, filterForm, queryOf } from './filter-form.ts';
import { crumbsOf, itemPage } from './item-page.ts';
import { listPage } from './list-page.ts';
import { asking, learnNames, type PagePart, type Shown } from './shown.ts';

/** Rows of a page: as many as are read through at once. */
const ROWS = '50';

/** Answers the page of a read: what the API answers to the same question. */
export async function sendRead(
  reached: Reached,
  operation: OperatorOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = queryOf(request.query);
  const known = request.params as Readonly<Record<string, string>>;
  const path = filled(operation.path, known);
  if (path === undefined) return sendNothingHere(reply);
  const hasLimit = parametersIn(operation, 'query').some(({ name }) => name === 'limit');
  const isFile = query['format'] === 'csv' && operation.csv;
  const asked = hasLimit && !isFile ? { limit: ROWS, ...query } : query;
  const answer = await askApi(request, { method: 'GET', path: `${path}${askedQuery(operation, asked)}` });
  if (isFile && answer.status === 200) return sendFile(reply, answer);
  const visitor = visitorOf(request);
  if (answer.status >= 400) {
    const title = titleOfRefusal(answer.status);
    const body = html`${head(title, { crumbs: crumbsOf(visitor, operation, known) })}${refusal(answer, { isPage: true })}${operation.list && filterForm(operation, path, query)}`;
    return sendConsolePage(reply, answer.status, { title, body, at: addressOf(operation) });
  }
  const done = takeDone(reached, request, reply);
  const ask = asking(request);
  const body = Object(answer.body) as Members;
  const withCurrencies = withCurrency(body['currency'] ?? defaultCurrency(operation), body);
  const things = operation.list ? (withCurrencies['items'] as Members[]) : [withCurrencies];
  await learnNames(visitor, ask, operation.columns, things);
  const shown: Shown = { visitor, operation, path, query, known, answer: withCurrencies, done, ask };
  const page = customPages[operation.operationId] ?? (operation.list ? listPage : itemPage);
  return sendConsolePage(reply, 200, { at: homeAt(operation), ...(await page(shown)) });
}

/** In the menu a thing stands under its list. */
const homeAt = (operation: OperatorOperation): string =>
  operation.operationId === 'getOverview' ? CONSOLE : addressOf(homeOf(operation) ?? operation);

function sendFile(reply: FastifyReply, { headers, text }: ApiAnswer): FastifyReply {
  for (const name of ['content-type', 'content-disposition', 'link'] as const) {
    const value = headers[name];
    if (value !== undefined) void reply.header(name, value);
  }
  return reply.serializer(String).send(text);
}

/** The path under which a read has its page. */
export const routeOf = ({ path }: OperatorOperation): string => asRoute(path);

/** The reads whose pages are made for what they show; all others have one made from the list of operations. */
export const customPages: Readonly<Record<string, (shown: Shown) => Promise<PagePart> | PagePart>> = {
  checkLedger: ledgerCheckPage,
  getApproval: approvalPage,
  getCustomer: customerPage,
  getDelivery: deliveryPage,
  getOverview: (shown) => overviewPage({ ...shown, columns: shown.operation.columns }),
  getPartner: partnerPage,
  getReceiver: receiverPage,
  getSettings: settingsPage,
  getTransaction: transactionPage,
  getWallet: walletPage,
  listApprovals: approvalsPage,
  listAuditRecords: auditPage,
  listReceivers: receiversPage,
  listWalletHistory: walletHistoryPage,
  listWalletHolds: partOfWalletPage,
  listWalletLiens: partOfWalletPage,
};
