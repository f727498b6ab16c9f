import { type Html, html } from '#lib/html.ts';
import { leading, offersOfRow, waysOn } from '../catalogue/offers.ts';
import type { Members } from '../catalogue/things.ts';
import { addressOfList, chosenOf, columnsIn, countIn, figures, none, section } from '../look/parts.ts';
import { factsOf, table } from '../look/table.ts';
import { moment, moneyText, statePill } from '../look/values.ts';
import { everything, headOfThing } from '../reads/item-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';
import { CONSOLE } from '../session.ts';

/** A partner: what it keeps with us, whether its events arrive, its keys, and the way to all that is its own. */
export async function partnerPage(shown: Shown): Promise<PagePart> {
  const { answer, known, operation, visitor } = shown;
  const { id = '' } = known;
  const [receiver, wallets, suspense, failed] = await Promise.all([
    shown.ask('getReceiver', { ownerId: id }),
    shown.ask('listWallets', {}, { partnerId: id, limit: '0' }),
    shown.ask('listSuspense', {}, { partnerId: id, limit: '0' }),
    shown.ask('listDeliveries', {}, { partnerId: id, status: 'FAILED', limit: '0' }),
  ]);
  const counted = (
    label: string,
    answered: Members | undefined,
    [operationId, query]: [string, Record<string, string>],
    look?: 'bad',
  ) => {
    const count = countIn(answered);
    if (count === undefined) return [];
    const address = addressOfList(shown, operationId, { partnerId: id, ...query });
    return [{ label, what: count.text, address, look: count.isNone ? undefined : look }];
  };
  const floats = (answer['floats'] as { currency: string; balance: number }[]).map(({ currency, balance }) => ({
    label: `Float, ${currency}`,
    what: moneyText(balance, currency),
    address: addressOfList(shown, 'findTransactions', { partnerId: id, currency }),
    small: 'what moved it',
  }));
  const facts = ['clientId', 'redirectUrl', 'webhookUrl', 'contactEmail', 'id', 'createdAt', 'updatedAt'];
  return {
    title: String(answer['name']),
    body: html`${headOfThing(shown, {})}
${figures([
  ...floats,
  ...counted('Wallets', wallets, ['listWallets', {}]),
  ...counted('In suspense', suspense, ['listSuspense', {}], 'bad'),
  ...counted('Deliveries failed', failed, ['listDeliveries', { status: 'FAILED' }], 'bad'),
])}
${leading(waysOn(visitor, operation, known))}
${factsOf(visitor, chosenOf(operation.columns, facts), answer)}
${section('Keys', keys(shown))}
${receiver !== undefined && section('Events', eventsInWords(shown, receiver), { address: `${CONSOLE}/receivers/${encodeURIComponent(id)}`, label: 'Where they are sent' })}
${section('Its day', day(id))}
${everything(shown)}`,
  };
}

function keys(shown: Shown): Html {
  const { visitor, answer, known } = shown;
  const items = answer['keys'] as Members[];
  if (items.length === 0) return none('It has none, and cannot call the API.');
  return table(visitor, {
    columns: chosenOf(columnsIn(shown, 'keys'), ['id', 'createdAt', 'revokedAt']),
    items,
    label: 'Keys',
    offersOf: (key) => (key['revokedAt'] === undefined ? offersOfRow(visitor, '/partners/{id}/keys', key, known) : []),
  });
}

/** Whether the partner's events arrive, in a sentence. */
function eventsInWords(shown: Shown, receiver: Members): Html {
  const { url, status, pending, pendingIsExact, oldestDueAt } = receiver as {
    url?: string;
    status: string;
    pending: number;
    pendingIsExact?: boolean;
    oldestDueAt?: string;
  };
  const { breaker, endpoints } = receiver as {
    breaker?: { state: string; failingSince?: string };
    endpoints?: Members[];
  };
  const waiting = countIn({ count: pending, countIsExact: pendingIsExact });
  const list = addressOfList(shown, 'listDeliveries', { partnerId: shown.known['id'] ?? '', status: 'PENDING' });
  return html`<p>${statePill(status)} ${url === undefined ? 'It has given no address of its own.' : html`To <code>${url}</code>.`}</p>
<p><a href="${list ?? ''}">${waiting?.text ?? '0'} waiting</a>${oldestDueAt !== undefined && html`, the oldest due ${moment(oldestDueAt)}`}.${
    breaker !== undefined &&
    breaker.state !== 'CLOSED' &&
    html` It is failing${breaker.failingSince !== undefined && html` since ${moment(breaker.failingSince)}`}: deliveries are retried only now and then.`
  }${(endpoints?.length ?? 0) > 1 && ` It has ${endpoints?.length ?? 0} endpoints.`}</p>`;
}

/** What moved its accounts on a day, which ties to what it has itself. */
const day = (id: string): Html =>
  html`<form class="inline" method="get" action="${CONSOLE}/open/getPartnerDay"><input type="hidden" name="id" value="${id}"><div class="field"><label for="day">What moved on</label><input id="day" name="date" type="date" required autocomplete="off"></div><button>Show the day</button></form>`;
