import type { FastifyRequest } from 'fastify';
import { operationNamed } from './catalogue/operations.ts';
import { addressOfThing, type Members } from './catalogue/things.ts';
import { askApi, CONSOLE, visitorOf } from './session.ts';

/** Something that was found, and its page. */
export interface Found {
  what: string;
  called: string;
  address: string;
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** Things that an id may name. */
const byId: Readonly<Record<string, string>> = {
  getDelivery: 'Delivery',
  getPartner: 'Partner',
  getApplication: 'Application',
  getCustomer: 'Customer',
  getPayout: 'Payout',
  getApproval: 'Approval',
  getInboxMessage: 'Message of a provider',
  getBankImport: 'Bank file',
};
/** Things that a text may name. */
const byText: Readonly<Record<string, string>> = {
  getWallet: 'Wallet',
  getTag: 'Tag',
  getTransaction: 'Transaction',
  getTerminal: 'Terminal',
};

/**
 * What a text may name: a reference, a tag, an account number, a phone, a BVN or an id. Each is asked for as its own operation asks
 * for it, so that nobody finds here what they may not see; looking for people is audited.
 */
export async function search(request: FastifyRequest, typed: string): Promise<Found[]> {
  const text = typed.trim().replace(/^@/, '');
  const digits = text.replaceAll(/[\s()-]/g, '');
  const isNumber = /^\+?\d{8,15}$/.test(digits);
  const found = await Promise.all([
    ...Object.entries(UUID.test(text) ? byId : byText).map(([operationId, what]) =>
      one(request, operationId, what, text),
    ),
    list(request, 'findTransactions', { reference: text }, 'Transaction'),
    list(request, 'findTransactions', { externalReference: text }, 'Transaction'),
    list(request, 'listDeliveries', { event: text }, 'Deliveries of'),
    ...(/^\d{10}$/.test(digits) ? [list(request, 'listWallets', { nuban: digits }, 'Wallet')] : []),
    ...(isNumber ? [people(request, { phone: digits })] : []),
    ...(/^\d{11}$/.test(digits) ? [people(request, { bvn: digits })] : []),
    ...(/^[a-z][\w.-]{1,39}$/i.test(text) ? [people(request, { paytag: text })] : []),
  ]);
  const byAddress = new Map(found.flat().map((thing) => [thing.address, thing]));
  return [...byAddress.values()];
}

async function one(request: FastifyRequest, operationId: string, what: string, text: string): Promise<Found[]> {
  const address = addressOfThing(visitorOf(request), operationId, text);
  if (address === undefined) return [];
  const { status } = await askApi(request, { method: 'GET', path: address.slice(CONSOLE.length) });
  return status === 200 ? [{ what, called: text, address }] : [];
}

/** What a list has of it: the list itself, found by the same, as it may be several. */
async function list(
  request: FastifyRequest,
  operationId: string,
  by: Record<string, string>,
  what: string,
): Promise<Found[]> {
  const operation = operationNamed(operationId);
  if (operation === undefined || !visitorOf(request).may(operation)) return [];
  const path = `${operation.path}?${new URLSearchParams(by).toString()}`;
  const { status, body } = await askApi(request, { method: 'GET', path: `${path}&limit=2` });
  const items = status === 200 ? (body as { items: Members[] }).items : [];
  const [first, another] = items;
  if (first === undefined) return [];
  const only = another === undefined && operationId === 'listWallets';
  const own = only ? addressOfThing(visitorOf(request), 'getWallet', String(first['reference'])) : undefined;
  return [{ what, called: Object.values(by)[0] ?? '', address: own ?? `${CONSOLE}${path}` }];
}

async function people(request: FastifyRequest, by: Record<string, string>): Promise<Found[]> {
  const operation = operationNamed('findCustomers');
  if (operation === undefined || !visitorOf(request).may(operation)) return [];
  const { status, body } = await askApi(request, { method: operation.method, path: operation.path, body: by });
  const items = status === 200 ? (body as { items: Members[] }).items : [];
  return items.flatMap((item) => {
    const address = addressOfThing(visitorOf(request), 'getCustomer', String(item['id']));
    return address === undefined ? [] : [{ what: 'Customer', called: String(item['name'] ?? item['paytag']), address }];
  });
}
