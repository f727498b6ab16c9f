import { payTagApplicationId } from '#modules/clients';
import { CONSOLE, type ConsoleVisitor } from '../session.ts';
import { filled, itemOf, namesIn, type OperatorOperation, operationNamed, parametersIn } from './operations.ts';

/** An object of an answer. */
export type Members = Readonly<Record<string, unknown>>;

/** What a member names, by the read whose page shows it. */
const named: Readonly<Record<string, string>> = {
  accountwallet: 'getWallet',
  applicationid: 'getApplication',
  approvalid: 'getApproval',
  createdbyappid: 'getApplication',
  customerid: 'getCustomer',
  deliveryid: 'getDelivery',
  importid: 'getBankImport',
  linkedappid: 'getApplication',
  linkedtag: 'getTag',
  ownerapplicationid: 'getApplication',
  partnerid: 'getPartner',
  paytag: 'getTag',
  payoutid: 'getPayout',
  primaryappid: 'getApplication',
  primarytag: 'getTag',
  receiverappid: 'getApplication',
  receivertag: 'getTag',
  replayof: 'getDelivery',
  requestedbyappid: 'getApplication',
  senderappid: 'getApplication',
  sendertag: 'getTag',
  serialnumber: 'getTerminal',
  tagstring: 'getTag',
  terminal: 'getTerminal',
  transactionreference: 'getTransaction',
  wallet: 'getWallet',
  walletreference: 'getWallet',
};

/** What a member names, where another one says of what kind it is. */
const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ownerKind: { PARTNER: 'getPartner', APPLICATION: 'getApplication' },
};

/** What an audit entry is about, by the first word of its action. */
const targets: Readonly<Record<string, string>> = {
  application: 'getApplication',
  approval: 'getApproval',
  customer: 'getCustomer',
  delivery: 'getDelivery',
  partner: 'getPartner',
  payout: 'getPayout',
  tag: 'getTag',
  terminal: 'getTerminal',
  wallet: 'getWallet',
};

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** The page of one thing; undefined if there is none, or if the operator may not see it. */
export function addressOfThing(visitor: ConsoleVisitor, operationId: string, value: string): string | undefined {
  const operation = operationNamed(operationId);
  if (operation === undefined || !visitor.may(operation)) return undefined;
  const [name = '', ...others] = namesIn(operation.path);
  const isId = parametersIn(operation, 'path').some((one) => one.kind === 'id');
  if (isId && !UUID.test(value)) return undefined;
  const path = others.length === 0 ? filled(operation.path, { [name]: value }) : undefined;
  return path === undefined ? undefined : `${CONSOLE}${path}`;
}

/** Where a member of an answer leads, when it names something that has a page. */
export function whereTo(visitor: ConsoleVisitor, member: string, value: unknown, of: Members): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  if (text.includes('*')) return undefined; // masked
  if (text === payTagApplicationId) return undefined; // built in: no list has it
  const operationId = thingNamed(member.split('.').at(-1) ?? member, of);
  return operationId === undefined ? undefined : addressOfThing(visitor, operationId, text);
}

/** The read whose page shows what a member names. */
export const thingNamed = (member: string, of: Members): string | undefined =>
  named[member.toLowerCase()] ?? byKind(member, of);

function byKind(member: string, of: Members): string | undefined {
  if (member === 'ownerId') return kinds['ownerKind']?.[String(of['ownerKind'])];
  if (member !== 'target' || typeof of['action'] !== 'string') return undefined;
  return targets[of['action'].split('.')[0] ?? ''];
}

/** The page of an item of a list. */
export function addressOfItem(visitor: ConsoleVisitor, list: OperatorOperation, item: Members): string | undefined {
  const operation = itemOf(list);
  if (operation === undefined || !visitor.may(operation)) return undefined;
  const path = filled(operation.path, parametersFrom(operation.path, item));
  return path === undefined ? undefined : `${CONSOLE}${path}`;
}

/** What an item says of the parameters of a path: the member of the same name, in whatever case. */
export function parametersFrom(path: string, item: Members): Record<string, string> {
  const members = new Map(Object.entries(item).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    namesIn(path).flatMap((name) => {
      const value = members.get(name.toLowerCase());
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
    }),
  );
}

/** What a thing is called, by its own words. */
export function calledOf(thing: Members): string | undefined {
  const members = [
    'name',
    'tagString',
    'Reference',
    'reference',
    'merchant',
    'serialNumber',
    'event',
    'paytag',
    'transactionReference',
  ];
  return members.map((member) => thing[member]).find((value) => typeof value === 'string' && value !== '') as
    | string
    | undefined;
}

/** Operations whose amounts are naira and nothing else: rails, banks and terminals know no points. */
const inNaira: ReadonlySet<string> = new Set([
  'compareRail',
  'correctPayout',
  'createSplit',
  'createTerminal',
  'creditInboxMessage',
  'getBankImport',
  'getPayout',
  'getRailComparison',
  'getTerminal',
  'importBankFile',
  'listBankImports',
  'listPayouts',
  'listRailComparisons',
  'listRails',
  'listReconciliationItems',
  'listTerminals',
  'markPayout',
  'reportPayment',
  'resolveReconciliationItem',
  'verifyPayout',
]);

/** The currency of amounts that nothing is said of: naira, where they can be no other or are meant by default. */
export const defaultCurrency = (operation: OperatorOperation): 'NGN' | undefined =>
  inNaira.has(operation.operationId) || parametersIn(operation, 'body').some(({ name }) => name === 'currency')
    ? 'NGN'
    : undefined;

/** An answer, or an item of one, with a currency for the amounts in it and in its lists; what says another keeps it. */
export function withCurrency<Thing extends Members>(currency: unknown, thing: Thing): Thing {
  if (currency === undefined) return thing;
  const lists = Object.entries(thing).filter(([, value]) => Array.isArray(value) && value.every(isThing));
  const inLists = lists.map(([name, items]) => [
    name,
    (items as Members[]).map((item) => withCurrency(currency, item)),
  ]);
  return { currency, ...thing, ...Object.fromEntries(inLists) };
}

const isThing = (value: unknown): boolean => typeof value === 'object' && value !== null;
