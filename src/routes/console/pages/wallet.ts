import { type Html, html } from '#lib/html.ts';
import { leading, offerOf, offersOfRow, refundOf, waysOn } from '../catalogue/offers.ts';
import { addressOfThing, calledOf, type Members, withCurrency } from '../catalogue/things.ts';
import { addressOfList, chosenOf, columnsIn, figures, itemsOf, none, section } from '../look/parts.ts';
import { factsOf, table } from '../look/table.ts';
import { moneyText } from '../look/values.ts';
import { everything, headOfThing } from '../reads/item-page.ts';
import { listPage } from '../reads/list-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';

const LAST = 10;

const WALLET_ABOUT = [
  'reference',
  'nuban',
  'paytag',
  'customerId',
  'partnerId',
  'kycProfileId',
  'tier',
  'isPrimary',
  'revokedAt',
  'createdAt',
  'updatedAt',
];

/** What keeps money of a wallet, in its currency. */
export async function partOfWalletPage(shown: Shown): Promise<PagePart> {
  const wallet = await shown.ask('getWallet', shown.known);
  return listPage({ ...shown, answer: withCurrency(wallet?.['currency'], shown.answer) });
}

/** All that moved a wallet, with what came in and what went out. */
export function walletHistoryPage(shown: Shown): PagePart {
  const items = (shown.answer['items'] as Members[]).map(withDirection);
  return listPage(
    { ...shown, answer: { ...shown.answer, items } },
    { addressOf: ({ Reference }) => addressOfThing(shown.visitor, 'getTransaction', String(Reference)) },
  );
}

/** A wallet: what is in it and may be spent, what keeps the rest, and what moved it last. */
export async function walletPage(shown: Shown): Promise<PagePart> {
  const { answer, known, operation, visitor } = shown;
  const [holds, history] = await Promise.all([
    shown.ask('listWalletHolds', known, { limit: '20' }),
    shown.ask('listWalletHistory', known, { limit: String(LAST) }),
  ]);
  const { name, reference, nuban } = answer as { name?: string; reference: string; nuban?: string };
  const also =
    nuban === undefined
      ? []
      : offerOf(visitor, 'reportPayment', { about: { type: 'INBOUND', nuban }, name: 'Report a payment to it' });
  const title = name ?? `Wallet ${reference}`;
  return {
    title,
    body: html`${headOfThing(shown, { title, also })}
${amounts(shown)}
${leading(waysOn(visitor, operation, known))}
${factsOf(visitor, chosenOf(operation.columns, WALLET_ABOUT), answer)}
${section('Liens', liens(shown))}
${holds !== undefined && section('Held', held(shown, holds))}
${history !== undefined && section('What moved it last', moved(shown, history), { address: addressOfList(shown, 'listWalletHistory', {}, known) ?? '', label: 'The whole history' })}
${everything(shown)}`,
  };
}

function amounts(shown: Shown): Html {
  const { answer, known } = shown;
  const {
    currency,
    totalAmount,
    availableAmount,
    blockedAmount,
    suspendedAmount,
    dailyLimit,
    dailyLimitFrom,
    spentToday,
  } = answer as Record<string, unknown> & { [amount: string]: number };
  const money = (amount = 0) => moneyText(amount, currency);
  const to = (operationId: string) => addressOfList(shown, operationId, {}, known);
  return figures([
    { label: 'Available', what: money(availableAmount), small: 'can be spent now', address: to('listWalletHistory') },
    { label: 'In it', what: money(totalAmount), small: 'by the ledger', address: to('listWalletHistory') },
    { label: 'Held', what: money(suspendedAmount), small: 'for what is under way', address: to('listWalletHolds') },
    { label: 'Blocked', what: money(blockedAmount), small: 'by liens', address: to('listWalletLiens') },
    {
      label: 'Spent today',
      what: money(spentToday),
      small:
        dailyLimit === undefined || dailyLimit === null
          ? 'no limit'
          : `of ${money(dailyLimit)} a day, by ${String(dailyLimitFrom ?? 'tier')}`,
    },
  ]);
}

function liens(shown: Shown): Html {
  const { visitor, answer, known } = shown;
  const items = answer['liens'] as Members[];
  if (items.length === 0) return none('None in force.');
  return table(visitor, {
    columns: chosenOf(columnsIn(shown, 'liens'), ['amount', 'reason', 'createdAt']),
    items,
    label: 'Liens',
    offersOf: (lien) => offersOfRow(visitor, '/wallets/{reference}/liens', lien, known),
  });
}

function held(shown: Shown, { items }: Members): Html {
  const rows = (items as Members[]).map((hold) => ({ ...hold, currency: shown.answer['currency'] }));
  if (rows.length === 0) return none('Nothing is under way.');
  return itemsOf(shown, 'listWalletHolds', {
    items: rows,
    names: ['amount', 'type', 'reference', 'externalReference', 'createdAt', 'expiresAt'],
    label: 'Holds',
  });
}

function moved(shown: Shown, { items }: Members): Html {
  const rows = (items as Members[]).map(withDirection);
  if (rows.length === 0) return none('Nothing yet.');
  return itemsOf(shown, 'findTransactions', {
    items: rows,
    names: ['Reference', 'CreatedAt', 'Type', 'Status', 'Amount', 'ClosingBalance'],
    label: 'History',
    offersOf: (item) => refundOf(shown.visitor, item),
  });
}

/** Whether it came in or went out, as its sign. */
function withDirection(item: Members): Members {
  const { Amount, OpeningBalance, ClosingBalance } = item as { [name: string]: number | undefined };
  const isOut = OpeningBalance !== undefined && ClosingBalance !== undefined && ClosingBalance < OpeningBalance;
  return { ...item, Amount: isOut ? -(Amount ?? 0) : Amount };
}

const CUSTOMER_ABOUT = ['paytag', 'paytagStatus', 'phone', 'email', 'bvn', 'yearOfBirth', 'hasAddress', 'hasPassword'];

const KNOWN = ['frozenAt', 'bvnHandedBackAt', 'erasedAt', 'createdAt', 'updatedAt', 'id'];

/** A customer: who they are, masked, with their wallets at all partners and where they are logged in. */
export function customerPage(shown: Shown): PagePart {
  const { answer, operation, visitor } = shown;
  const wallets = answer['wallets'] as Members[];
  const sessions = answer['sessions'] as Members[];
  const tag = typeof answer['paytag'] === 'string' ? addressOfThing(visitor, 'getTag', answer['paytag']) : undefined;
  const title = calledOf(answer) ?? 'Customer';
  return {
    title,
    body: html`${headOfThing(shown, { title })}
${factsOf(visitor, chosenOf(operation.columns, CUSTOMER_ABOUT), answer)}
<p class="note">Personal data is masked. Revealing it needs a reason, and the audit log records who saw what.${tag !== undefined && html` <a href="${tag}">Their tag</a>`}</p>
${section(
  'Wallets',
  wallets.length === 0
    ? none('None, at any partner.')
    : itemsOf(shown, 'listWallets', {
        items: wallets,
        names: [
          'reference',
          'partnerId',
          'nuban',
          'status',
          'totalAmount',
          'availableAmount',
          'isPrimary',
          'createdAt',
        ],
        label: 'Wallets',
      }),
)}
${section(
  'Logged in',
  sessions.length === 0
    ? none('Nowhere at the moment.')
    : table(visitor, { columns: columnsIn(shown, 'sessions'), items: sessions, label: 'Sessions' }),
  loginsOf(shown),
)}
${section('What is kept', factsOf(visitor, chosenOf(operation.columns, KNOWN), answer))}
${everything(shown)}`,
  };
}

/** Where all their logins are, the ended ones of the last day too. */
function loginsOf(shown: Shown): { address: string; label: string } | undefined {
  const address = addressOfList(shown, 'listSessions', { customerId: String(shown.answer['id']) });
  return address === undefined ? undefined : { address, label: 'All of the last day' };
}
