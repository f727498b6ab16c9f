import { type Html, html } from '#lib/html.ts';
import { CONSOLE, type ConsoleVisitor } from '../session.ts';
import {
  actions,
  asRoute,
  filled,
  namesIn,
  type OperatorOperation,
  operationNamed,
  parametersIn,
  reads,
} from './operations.ts';
import { type Members, parametersFrom } from './things.ts';
import { labelOf } from './words.ts';

type Known = Readonly<Record<string, string>>;

/** What is done, or seen, at a path and below it when no more is known than this. */
function below(
  visitor: ConsoleVisitor,
  of: readonly OperatorOperation[],
  prefix: string,
  known: Known,
): OperatorOperation[] {
  return of.filter((operation) => {
    const { path } = operation;
    const isBelow = path === prefix || path.startsWith(`${prefix}/`);
    return isBelow && visitor.may(operation) && namesIn(path).every((name) => known[name] !== undefined);
  });
}

const actionAddress = ({ operationId }: OperatorOperation, known: Known): string => {
  const query = new URLSearchParams(known).toString();
  return `${CONSOLE}/actions/${operationId}${query === '' ? '' : `?${query}`}`;
};

const onlyThoseIn = (path: string, known: Known): Known =>
  Object.fromEntries(namesIn(path).map((name) => [name, known[name] ?? '']));

/** What a link fills into a form: the parts of the path, and the members of the body that the link's page names. */
const filledIn = (operation: OperatorOperation, known: Known, about: Known): Known => {
  const inBody = new Set(parametersIn(operation, 'body').map(({ name }) => name));
  const ofBody = Object.entries(about).filter(([name]) => inBody.has(name));
  return { ...Object.fromEntries(ofBody), ...onlyThoseIn(operation.path, known) };
};

const actionLink = (
  operation: OperatorOperation,
  known: Known,
  { name = nameOfAction(operation), about = {} }: { name?: string; about?: Known } = {},
): Html =>
  html`<li><a${operation.irreversible !== undefined && html` class="grave"`} href="${actionAddress(operation, filledIn(operation, known, about))}">${name}</a></li>`;

/** One action, with its subject filled in; nothing if the operator may not do it. */
export function offerOf(
  visitor: ConsoleVisitor,
  operationId: string,
  given: { known?: Known; about?: Known; name?: string },
): Html[] {
  const operation = operationNamed(operationId);
  return operation === undefined || !visitor.may(operation) ? [] : [actionLink(operation, given.known ?? {}, given)];
}

const own: Readonly<Record<string, string>> = {
  changeWallet: 'Change its rules',
  endSessionsOfCustomer: 'Log out everywhere',
  reportPayment: 'Report a payment',
  replayDeliveries: 'Replay many',
};

/** What an action is called on its button: the words of its command, as `Rotate webhook secret`. */
export function nameOfAction({ operationId }: Pick<OperatorOperation, 'operationId'>): string {
  return own[operationId] ?? labelOf(operationId);
}

/** What may be done with all things of a list: make one, or do something to many. */
export function offersOfList(visitor: ConsoleVisitor, { path }: OperatorOperation): Html[] {
  return below(visitor, actions, path, {}).map((operation) => actionLink(operation, {}));
}

/** In which states something can be done, where that is said by the state of the thing alone. */
const when: Readonly<Record<string, readonly string[]>> = {
  addDisputeEvidence: ['OPEN', 'EXPIRED'],
  approveApplication: ['PENDING'],
  approveRequest: ['PENDING', 'APPROVED'],
  correctPayout: ['FAILED'],
  closeTag: ['ACTIVE', 'SUSPENDED'],
  decideDispute: ['OPEN', 'EXPIRED'],
  disableOperator: ['ACTIVE'],
  enableOperator: ['DISABLED'],
  endSession: ['LIVE'],
  freezeCustomer: ['ACTIVE'],
  markPayout: ['PENDING', 'UNKNOWN'],
  pauseReceiver: ['ACTIVE'],
  refundTransaction: ['Successful'],
  rejectRequest: ['PENDING'],
  releaseCustomer: ['FROZEN'],
  restoreApplication: ['SUSPENDED'],
  restorePartner: ['SUSPENDED'],
  restoreTag: ['SUSPENDED'],
  resumeReceiver: ['PAUSED'],
  reverseTransaction: ['Successful', 'Pending'],
  rotateOperatorToken: ['ACTIVE'],
  suspendPartner: ['ACTIVE'],
  suspendTag: ['ACTIVE'],
  verifyPayout: ['SENT', 'UNKNOWN', 'SUCCESSFUL'],
};

const fits = (
  { operationId }: OperatorOperation,
  { Status, state = Status, status = state, endedAt }: Members,
): boolean =>
  (operationId !== 'endConsoleSession' || typeof endedAt !== 'string') &&
  (typeof status !== 'string' || when[operationId]?.includes(status) !== false);

/** An operator cannot approve their own request. */
const isOwnRequest = ({ operator }: ConsoleVisitor, { operationId }: OperatorOperation, { requestedBy }: Members) =>
  operationId === 'approveRequest' && (Object(requestedBy) as Members)['id'] === operator.id;

/** What may be done with one thing as it is; what cannot be undone stands last. */
export function offersOfItem(
  visitor: ConsoleVisitor,
  { path, noun }: OperatorOperation,
  known: Known,
  thing: Members,
  about: Known = {},
): Html[] {
  const fitting = below(visitor, actions, path, known).filter(
    (operation) => fits(operation, thing) && !isOwnRequest(visitor, operation, thing),
  );
  const [grave, others] = [
    fitting.filter(({ irreversible }) => irreversible),
    fitting.filter((one) => !one.irreversible),
  ];
  return [...others, ...grave].map((operation) =>
    actionLink(operation, known, { name: nameOnItsPage(operation, noun), about }),
  );
}

/** On the page of a thing its actions need not say what they are done to: "Suspend" for "Suspend partner". */
function nameOnItsPage(operation: OperatorOperation, noun: string): string {
  const name = nameOfAction(operation);
  if (own[operation.operationId] !== undefined) return name;
  const thing = noun === 'approvals' ? 'request' : noun.replace(/ies$/, 'y').replace(/s$/, '');
  const [verb, ...words] = name.split(' ');
  const at = words.indexOf(thing);
  return [verb, ...words.filter((_, index) => index !== at)].join(' ');
}

/** What somebody may do with their own token; root has none that is stored. */
export function offersOfOneself(visitor: ConsoleVisitor): Html[] {
  const rotate = operationNamed('rotateOperatorToken');
  const { id } = visitor.operator;
  return rotate === undefined || id === 'root' ? [] : [actionLink(rotate, { id }, { name: 'Rotate your token' })];
}

/** What may be done with a row: of a list whose things have no page, or within the page of a thing. */
export function offersOfRow(visitor: ConsoleVisitor, prefix: string, row: Members, known: Known = {}): Html[] {
  return actions.flatMap((operation) => {
    const { path } = operation;
    if (!path.startsWith(`${prefix}/{`) || !visitor.may(operation) || !fits(operation, row)) return [];
    const [ownName = ''] = namesIn(path.slice(prefix.length));
    const ofRow = parametersFrom(path, row)[ownName] ?? parametersFrom('{id}', row)['id'];
    const all = { ...known, ...(ofRow === undefined ? {} : { [ownName]: ofRow }) };
    return filled(path, all) === undefined
      ? []
      : [actionLink(operation, all, { name: labelOf(operation.verb.split(' ').at(-1) ?? '') })];
  });
}

/** What a refund can give back. */
const REFUNDABLE = new Set([
  'INBOUND',
  'PARTNER_GATEWAY',
  'PARTNER_TERMINAL',
  'PARTNER_WALLET_CREDIT',
  'PARTNER_WALLET_DEBIT',
  'TRANSFER',
]);

/** The refund of a transaction in a list, with whose it is filled in. */
export function refundOf(visitor: ConsoleVisitor, { Type, Status, Reference, PartnerID }: Members): Html[] {
  if (Status !== 'Successful' || typeof PartnerID !== 'string' || !REFUNDABLE.has(String(Type))) return [];
  const known = { reference: String(Reference) };
  return offerOf(visitor, 'refundTransaction', { known, about: { partnerId: PartnerID }, name: 'Refund' });
}

/** Lists that can be asked for what belongs to one thing, by the parameter that names it. */
const belonging: Readonly<Record<string, readonly string[]>> = {
  getApplication: ['applicationId'],
  getBankImport: ['importId'],
  getCustomer: ['customerId'],
  getPartner: ['partnerId'],
  getTag: ['paytag', 'tag'],
  getTerminal: ['terminal', 'serialNumber'],
  getWallet: ['wallet', 'walletReference'],
};

/** Who receives what is sent to one thing's owner. */
const receivers = new Set(['getPartner', 'getApplication']);

/** Where to look on from one thing: what is below it, and lists of what belongs to it. */
export function waysOn(visitor: ConsoleVisitor, operation: OperatorOperation, known: Known): Html[] {
  const { path, operationId } = operation;
  const value = Object.values(known)[0] ?? '';
  const under = reads
    .filter((one) => one.path.startsWith(`${path}/`) && visitor.may(one))
    .map((one) => {
      const there = filled(one.path, known);
      const open = `${CONSOLE}/open/${one.operationId}?${new URLSearchParams(known).toString()}`;
      return way(there === undefined ? open : `${CONSOLE}${there}`, labelOf(lastLiteral(one.path)));
    });
  const lists = reads.flatMap((one) => {
    const name = parametersIn(one, 'query').find((parameter) => belonging[operationId]?.includes(parameter.name))?.name;
    const isPlain = namesIn(one.path).length === 0 && one.operationId !== 'listReceivers' && visitor.may(one);
    return name === undefined || !isPlain
      ? []
      : [
          way(
            `${CONSOLE}${one.path}?${new URLSearchParams({ [name]: value }).toString()}`,
            labelOf(asRoute(one.path.slice(1)).replaceAll('/', ' ')),
          ),
        ];
  });
  const receiver = operationNamed('getReceiver');
  const there = receiver && receivers.has(operationId) ? filled(receiver.path, { ownerId: value }) : undefined;
  return [...under, ...lists, ...(there === undefined ? [] : [way(`${CONSOLE}${there}`, 'Receiver')])];
}

const lastLiteral = (path: string): string => path.split('/').findLast((part) => !part.startsWith('{')) ?? path;

const way = (address: string, label: string): Html => html`<li><a href="${address}">${label}</a></li>`;

/** A row of buttons; nothing where there are none. */
export const offered = (links: readonly Html[], label: string): Html =>
  links.length === 0 ? html`` : html`<ul class="does" aria-label="${label}">${links}</ul>`;

/** The same of links that only lead on. */
export const leading = (links: readonly Html[]): Html =>
  links.length === 0 ? html`` : html`<ul class="ways" aria-label="Where to look on">${links}</ul>`;
