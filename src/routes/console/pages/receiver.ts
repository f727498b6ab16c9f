import { type Html, html, pill } from '#lib/html.ts';
import { offered, offerOf, offersOfItem } from '../catalogue/offers.ts';
import type { Members } from '../catalogue/things.ts';
import { factsOf } from '../look/facts.ts';
import { figures } from '../look/figures.ts';
import { moment, numberText } from '../look/values.ts';
import { everything, headOfThing } from '../reads/item-page.ts';
import { listPage } from '../reads/list-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';
import { addressOfList, chosenOf, columnsIn, countIn, itemsOf, none, section } from './sections.ts';

/** A receiver, or one of its endpoints, as far as it says how it is doing. */
interface Receiver {
  url?: string;
  status: 'ACTIVE' | 'PAUSED';
  pausedAt?: string;
  pausedBy?: 'OPERATOR' | 'OWNER' | 'SYSTEM';
  pauseReason?: string;
  pending: number;
  /** Endpoints within a receiver are told of without it. */
  breaker?: { state: 'CLOSED' | 'OPEN' | 'HALF_OPEN'; failures: number; failingSince?: string; until?: string };
}

const who = { OPERATOR: 'by an operator', OWNER: 'by its owner', SYSTEM: 'by the server itself' } as const;

/** How it is doing, at a glance. */
function stateOfReceiver({ status, url, breaker }: Receiver): Html {
  if (status === 'PAUSED') return pill('bad', 'Paused');
  if (url === undefined) return pill('wait', 'No address');
  switch (breaker?.state) {
    case 'OPEN':
      return pill('bad', 'Failing');
    case 'HALF_OPEN':
      return pill('wait', 'Being tried');
    default:
      return pill('good', 'Works');
  }
}

/** The same in a sentence: why nothing is sent to it, since when, and what becomes of what waits. */
function stateInWords({ status, url, pausedAt, pausedBy, pauseReason, pending, breaker }: Receiver): Html {
  if (status === 'PAUSED') {
    return html`Paused${pausedBy !== undefined && html` ${who[pausedBy]}`}${pausedAt !== undefined && html`, ${moment(pausedAt)}`}${
      pauseReason !== undefined && html`: <bdi>${pauseReason}</bdi>`
    }. ${pending === 0 ? 'Nothing waits for it.' : 'What waits goes out when it is resumed.'}`;
  }
  if (url === undefined) return html`Its events are kept until it gives an address.`;
  const { state = 'CLOSED', failures = 0, failingSince, until } = breaker ?? {};
  const since = html`${numberText(failures)} ${failures === 1 ? 'attempt' : 'attempts'} in a row failed${failingSince !== undefined && html`, since ${moment(failingSince)}`}.`;
  switch (state) {
    case 'OPEN':
      return html`${since} Nothing is sent${until !== undefined && html` until ${moment(until)}`}; then one delivery tries it.`;
    case 'HALF_OPEN':
      return html`${since} One delivery tries it now: when it arrives, all others follow.`;
    default:
      return failures === 0 ? html`What happens is sent at once.` : html`It is sent to, though ${since}`;
  }
}

const LAST = '5';
const ABOUT_ENDPOINT = [
  'description',
  'events',
  'rate',
  'ordered',
  'headerNames',
  'secret.since',
  'secret.previousUntil',
  'id',
];

/** All receivers, with how many of them get nothing, and why each of those does. */
export async function receiversPage(shown: Shown): Promise<PagePart> {
  const counted = async (label: string, query: Record<string, string>, small: string) => {
    const count = countIn(await shown.ask('listReceivers', {}, { ...query, limit: '0' }));
    if (count === undefined) return [];
    const look = count.isNone ? undefined : ('bad' as const);
    return [{ label, what: count.text, address: addressOfList(shown, 'listReceivers', query), small, look }];
  };
  const [paused, failing] = await Promise.all([
    counted('Paused', { status: 'PAUSED' }, 'get nothing until somebody resumes them'),
    counted('Failing', { breaker: 'OPEN' }, 'are tried again from time to time'),
  ]);
  const ownerId = chosenOf(shown.operation.columns, ['ownerId']);
  return listPage(shown, {
    before: figures([...paused, ...failing]),
    columns: [
      ...ownerId,
      { name: 'state', kind: 'text', show: (item) => stateOfReceiver(item as unknown as Receiver) },
      { name: 'what that means', kind: 'text', show: meaning },
      ...chosenOf(shown.operation.columns, ['pending', 'oldestDueAt']),
    ],
  });
}

/** Why it is as it is, and where it is. */
function meaning(item: Members): Html {
  const receiver = item as unknown as Receiver;
  return html`${stateInWords(receiver)}${receiver.url !== undefined && html`<small class="beneath"><code>${receiver.url}</code></small>`}`;
}

/** One owner's receiver: whether what happens arrives there, and if not why, since when, and what to do. */
export async function receiverPage(shown: Shown): Promise<PagePart> {
  const { answer, operation, visitor } = shown;
  const { ownerId, ownerKind } = answer as { ownerId: string; ownerKind: string };
  const whose: Record<string, string> = ownerKind === 'PARTNER' ? { partnerId: ownerId } : { applicationId: ownerId };
  const [failed, sent] = await Promise.all([
    shown.ask('listDeliveries', {}, { ...whose, status: 'FAILED', limit: '0' }),
    shown.ask('listDeliveries', {}, { ...whose, limit: LAST }),
  ]);
  const endpoints = answer['endpoints'] as Members[];
  const title = `Receiver of ${visitor.names.get(ownerId) ?? ownerId}`;
  const receiver = answer as unknown as Receiver;
  const state = stateOfReceiver(receiver);
  const last = offerOf(visitor, 'replayDeliveries', { about: whose, name: 'Replay many' });
  return {
    title,
    body: html`${headOfThing(shown, { title, state, lead: 'Where the events of its owner are sent', last })}
<div class="panel${isWrong(receiver) && ' alert'}"><p>${endpoints.length > 1 && 'Its default endpoint. '}${stateInWords(receiver)}</p></div>
${amounts(shown, whose, failed)}
${factsOf(visitor, chosenOf(operation.columns, ['ownerId', 'ownerKind', 'url', 'createdAt', 'updatedAt']), answer)}
${
  endpoints.length > 1
    ? section(
        `Its ${endpoints.length} endpoints`,
        html`<div class="cards">${endpoints.map((one) => endpointCard(shown, one))}</div>`,
      )
    : section('What it is sent', html`${endpoints.map((one) => aboutEndpoint(shown, one))}`)
}
${section('What was sent last', lastSent(shown, sent), { address: addressOfList(shown, 'listDeliveries', whose) ?? '', label: 'All deliveries' })}
${everything(shown)}`,
  };
}

const isWrong = ({ status, breaker }: Receiver): boolean =>
  status === 'PAUSED' || (breaker !== undefined && breaker.state !== 'CLOSED');

function amounts(shown: Shown, whose: Readonly<Record<string, string>>, failed: Members | undefined): Html {
  const { pending, pendingIsExact, oldestDueAt } = shown.answer as { [member: string]: unknown; oldestDueAt?: string };
  const waiting = countIn({ count: pending, countIsExact: pendingIsExact });
  const notTaken = countIn(failed);
  const to = (status: string) => addressOfList(shown, 'listDeliveries', { ...whose, status });
  return figures([
    {
      label: 'Waiting',
      what: waiting?.text ?? '0',
      address: to('PENDING'),
      small: oldestDueAt === undefined ? undefined : html`the oldest due ${moment(oldestDueAt)}`,
    },
    ...(notTaken === undefined
      ? []
      : [
          {
            label: 'Failed',
            what: notTaken.text,
            address: to('FAILED'),
            small: 'were given up',
            look: notTaken.isNone ? undefined : ('bad' as const),
          },
        ]),
  ]);
}

/** One of its endpoints, with what can be done with it alone. */
function endpointCard(shown: Shown, endpoint: Members): Html {
  const { visitor, operation, known } = shown;
  const { id, isDefault, url } = endpoint as { id: string; isDefault: boolean; url?: string };
  const offers = [
    ...offersOfItem(visitor, operation, known, endpoint, { endpointId: id }),
    ...offerOf(visitor, 'replayDeliveries', { about: { endpointId: id }, name: 'Replay many' }),
  ];
  return html`<section><h3>${url === undefined ? 'No address' : html`<bdi>${url}</bdi>`}</h3><p>${stateOfReceiver(endpoint as unknown as Receiver)}${isDefault && html` <span class="note">the default one</span>`}</p>
<p>${stateInWords(endpoint as unknown as Receiver)}</p>
${aboutEndpoint(shown, endpoint)}
${offered(offers, 'What you can do with this endpoint')}</section>
`;
}

function aboutEndpoint(shown: Shown, endpoint: Members): Html {
  const events = (endpoint['events'] ?? []) as string[];
  const facts = { ...endpoint, events: events.length === 0 ? 'all of the contract' : events.join(', ') };
  return factsOf(shown.visitor, chosenOf(columnsIn(shown, 'endpoints'), ABOUT_ENDPOINT), facts);
}

function lastSent(shown: Shown, sent: Members | undefined): Html {
  const items = (sent?.['items'] ?? []) as Members[];
  if (items.length === 0) return none('Nothing yet.');
  return itemsOf(shown, 'listDeliveries', {
    items,
    names: ['event', 'status', 'reference', 'attempts', 'lastError', 'createdAt'],
    label: 'Deliveries',
  });
}
