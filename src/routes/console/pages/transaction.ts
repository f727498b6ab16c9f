import { type Html, html } from '#lib/html.ts';
import { offerOf } from '../catalogue/offers.ts';
import type { Column } from '../catalogue/operations.ts';
import { addressOfThing, type Members, withCurrency } from '../catalogue/things.ts';
import { chosenOf, columnsIn, figures, itemsOf, none, section } from '../look/parts.ts';
import { factsOf, table } from '../look/table.ts';
import { moneyText } from '../look/values.ts';
import { everything, headOfThing } from '../reads/item-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';

const ABOUT = [
  'Type',
  'CreatedAt',
  'CompletedAt',
  'PartnerID',
  'Namer',
  'ExternalReference',
  'Comment',
  'PendingReason',
  'FailureReason',
  'ID',
];
const BELONGING = { hold: 'Its hold', payment: 'Who paid', payout: 'Its payout', offer: 'Its offer' } as const;
const OTHERS = ['Reference', 'CreatedAt', 'Type', 'Status', 'Amount'];
const DISPUTES_MAX = '100';

/** A transaction: its entries, what it belongs to, what happened to it later, and which receivers were notified. */
export async function transactionPage(given: Shown): Promise<PagePart> {
  const of = given.answer['transaction'] as Members;
  const shown = { ...given, answer: withCurrency(of['Currency'], given.answer) };
  const { answer, visitor } = shown;
  const reference = String(of['Reference']);
  const disputes = await disputesOf(shown, of);
  const about = aboutWhom(shown, of);
  const title = `Transaction ${reference}`;
  const following = answer['following'] as Members[];
  return {
    title,
    body: html`${headOfThing(shown, { title, thing: of, about, also: dispute(shown, of) })}
${refusal(answer)}
${amounts(of)}
${factsOf(visitor, chosenOf(under(shown, 'transaction'), ABOUT), of)}
${section('What it moved', entries(shown))}
${answer['original'] !== undefined && section('It undoes', itemsOf(shown, 'findTransactions', { items: [answer['original'] as Members], names: OTHERS, label: 'Original' }))}
${following.length > 0 && section('What undoes it', itemsOf(shown, 'findTransactions', { items: following, names: OTHERS, label: 'Following' }))}
${disputes.length > 0 && section('Disputed', itemsOf(shown, 'listDisputes', { items: disputes, names: ['id', 'state', 'amount', 'reason', 'respondBy'], label: 'Disputes' }))}
${Object.entries(BELONGING)
  .map(
    ([member, heading]) =>
      answer[member] !== undefined &&
      section(heading, factsOf(visitor, under(shown, member), withCurrency(of['Currency'], answer[member] as Members))),
  )
  .filter((part) => part !== false)}
${section('Who was notified', notifications(shown))}
${everything(shown)}`,
  };
}

/** The columns of a member that is an object, by their own names. */
const under = ({ operation: { columns } }: Shown, member: string): Column[] =>
  columns
    .filter(({ name }) => name.startsWith(`${member}.`))
    .map((column) => ({ ...column, name: column.name.slice(member.length + 1) }));

/** Whose it is, as forms about it ask. */
function aboutWhom({ answer }: Shown, of: Members): Record<string, string> {
  const [application] = (answer['entries'] as Members[]).filter(({ account }) => account === 'APPLICATION');
  const { PartnerID: partnerId, ID: id } = of;
  return {
    id: String(id),
    ...(typeof partnerId === 'string' ? { partnerId } : {}),
    ...(typeof partnerId !== 'string' && typeof application?.['reference'] === 'string'
      ? { applicationId: application['reference'] }
      : {}),
  };
}

const dispute = ({ visitor }: Shown, { PartnerID, Reference, Status }: Members): Html[] =>
  typeof PartnerID === 'string' && Status === 'Successful'
    ? offerOf(visitor, 'openDispute', {
        about: { partnerId: PartnerID, transactionReference: String(Reference) },
        name: 'Dispute',
      })
    : [];

/** Why it was declined, and what to do. */
function refusal({ refusal: given }: Members): Html | false {
  if (given === undefined) return false;
  const { code, happened, whatToDo } = given as Record<string, string>;
  return html`<div class="panel alert"><h2>Declined: <code>${code}</code></h2><p><bdi>${happened}</bdi></p><p><bdi>${whatToDo}</bdi></p></div>`;
}

function amounts(of: Members): Html {
  const { Currency, Amount, Fee, Commission, Net } = of as Record<string, number | undefined>;
  const isMoved = of['Status'] !== 'Failed';
  const money = (amount = 0) => moneyText(amount, Currency);
  return figures([
    { label: 'Amount', what: money(Amount) },
    { label: 'Fee', what: money(Fee), small: isMoved ? 'what we charged' : undefined },
    ...(Commission === undefined || Commission === 0 ? [] : [{ label: 'Commission', what: money(Commission) }]),
    { label: 'Net', what: money(Net), small: isMoved ? 'what arrived' : undefined },
  ]);
}

/** Whose accounts: each leads to the one who has it. */
const OWNERS: Readonly<Record<string, string>> = {
  APPLICATION: 'getApplication',
  FLOAT: 'getPartner',
  TERMINAL: 'getTerminal',
  WALLET: 'getWallet',
};

function entries(shown: Shown): Html {
  const items = shown.answer['entries'] as Members[];
  if (items.length === 0) return none('Nothing: it was declined, or is pending.');
  return table(shown.visitor, {
    columns: chosenOf(columnsIn(shown, 'entries'), [
      'reference',
      'account',
      'amount',
      'fee',
      'openingBalance',
      'closingBalance',
    ]),
    items,
    label: 'Entries',
    addressOf: ({ account, reference }) => {
      const owner = OWNERS[String(account)];
      return owner === undefined ? undefined : addressOfThing(shown.visitor, owner, String(reference));
    },
  });
}

/** Each event with its deliveries; an event without any has no endpoint that subscribes to it. */
function notifications(shown: Shown): Html {
  const events = shown.answer['events'] as (Members & { deliveries: Members[] })[];
  const rows = events.flatMap(({ deliveries, id: _id, ...event }) =>
    deliveries.length === 0 ? [event] : deliveries.map((delivery) => ({ ...event, ...delivery })),
  );
  if (rows.length === 0) return none('None: no event was written for it.');
  return table(shown.visitor, {
    columns: [
      { name: 'event', kind: 'text' },
      { name: 'createdAt', kind: 'moment' },
      { name: 'status', kind: 'text' },
      { name: 'attempts', kind: 'integer' },
      { name: 'ownerId', kind: 'id' },
    ],
    items: rows,
    label: 'Deliveries',
    addressOf: ({ id }) => (typeof id === 'string' ? addressOfThing(shown.visitor, 'getDelivery', id) : undefined),
  });
}

/** The disputes of it, among the latest of those it concerns. */
async function disputesOf(shown: Shown, { ID, CreatedAt }: Members): Promise<Members[]> {
  const partners = new Set(
    (shown.answer['entries'] as Members[]).flatMap(({ partnerId }) => (typeof partnerId === 'string' ? partnerId : [])),
  );
  const lists = await Promise.all(
    [...partners].map(async (partnerId) =>
      shown.ask('listDisputes', {}, { partnerId, from: String(CreatedAt), limit: DISPUTES_MAX }),
    ),
  );
  const all = lists.flatMap((list) => (list?.['items'] ?? []) as Members[]);
  return [...new Map(all.filter(({ transactionId }) => transactionId === ID).map((one) => [one['id'], one])).values()];
}
