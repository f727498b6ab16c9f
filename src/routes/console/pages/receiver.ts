import { type Html, html, pill } from '#lib/html.ts';
import { offered, offerOf, offersOfItem } from '../catalogue/offers.ts';
import { addressOfThing, type Members } from '../catalogue/things.ts';
import { addressOfList, chosenOf, columnsIn, countIn, figures, itemsOf, none, section } from '../look/parts.ts';
import { factsOf } from '../look/table.ts';
import { moment, numberText } from '../look/values.ts';
import { everything, headOfThing } from '../reads/item-page.ts';
import { listPage } from '../reads/list-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';

/** A receiver, or one of its endpoints, as far as it says how it is doing. */
interface Receiver {
  url?: string;
  status: 'ACTIVE' | 'PAUSED';
  pausedAt?: string;
  pausedBy?: 'OPERATOR' | 'OWNER' | 'SYSTEM';
  pauseReason?: string;
  pending: number;
  /** Missing for endpoints within a receiver. */
  breaker?: { state: 'CLOSED' | 'OPEN' | 'HALF_OPEN'; failures: number; failingSince?: string; until?: string };
}

const who = { OPERATOR: 'by an operator', OWNER: 'by its owner', SYSTEM: 'by the server' } as const;

/** How it is doing, at a glance. */
function stateOfReceiver({ status, url, breaker }: Receiver): Html {
  if (status === 'PAUSED') return pill('bad', 'Paused');
  if (url === undefined) return pill('wait', 'No address');
  switch (breaker?.state) {
    case 'OPEN':
      return pill('bad', 'Failing');
    case 'HALF_OPEN':
      return pill('wait', 'Testing');
    default:
      return pill('good', 'Works');
  }
}

/** The same in a sentence: why nothing is sent, since when, and what happens to pending deliveries. */
function stateInWords({ status, url, pausedAt, pausedBy, pauseReason, pending, breaker }: Receiver): Html {
  if (status === 'PAUSED') {
    return html`Paused${pausedBy !== undefined && html` ${who[pausedBy]}`}${pausedAt !== undefined && html`, ${moment(pausedAt)}`}${
      pauseReason !== undefined && html`: <bdi>${pauseReason}</bdi>`
    }. ${pending === 0 ? 'Nothing is pending.' : 'Pending deliveries are sent when it is resumed.'}`;
  }
  if (url === undefined) return html`Its events are kept until it gives an address.`;
  const { state = 'CLOSED', failures = 0, failingSince, until } = breaker ?? {};
  const since = html`${numberText(failures)} ${failures === 1 ? 'attempt' : 'attempts'} in a row failed${failingSince !== undefined && html`, since ${moment(failingSince)}`}.`;
  switch (state) {
    case 'OPEN':
      return html`${since} Nothing is sent${until !== undefined && html` until ${moment(until)}`}; then one delivery tests it.`;
    case 'HALF_OPEN':
      return html`${since} One delivery tests it now; if it arrives, all others follow.`;
    default:
      return failures === 0 ? html`Events are sent at once.` : html`Events are sent, but ${since}`;
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
    counted('Paused', { status: 'PAUSED' }, 'get nothing until they are resumed'),
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
            small: 'were abandoned',
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

const ABOUT = [
  'reference',
  'ownerId',
  'ownerKind',
  'createdAt',
  'deliveredAt',
  'eventId',
  'endpointId',
  'replayOf',
  'id',
];

interface Attempt {
  number: number;
  at: string;
  url?: string | null;
  statusCode?: number | null;
  durationMs?: number | null;
  error?: string | null;
  response?: string | null;
}

/** A delivery: each attempt and what was answered to it, and what was sent. */
export function deliveryPage(shown: Shown): PagePart {
  const { answer, operation, visitor } = shown;
  const { event, attempts, ownerId } = answer as { event: string; attempts: Attempt[]; ownerId: string };
  const receiver = addressOfThing(visitor, 'getReceiver', ownerId);
  return {
    title: event,
    body: html`${headOfThing(shown, { title: event, lead: 'A webhook delivery, with each of its attempts' })}
${factsOf(visitor, chosenOf(operation.columns, ABOUT), answer)}
${receiver !== undefined && html`<p class="pages"><a href="${receiver}">Where it is sent</a></p>`}
${section('Attempts', attempts.length === 0 ? none('None is kept.') : html`<ol class="tries">${attempts.toReversed().map(attemptItem)}</ol>`)}
${requestSent(answer)}
${everything(shown)}`,
  };
}

function attemptItem({ number, at, url, statusCode, durationMs, error, response }: Attempt): Html {
  const isUnderWay = (durationMs ?? undefined) === undefined && (error ?? undefined) === undefined;
  const outcome = isUnderWay
    ? pill('wait', 'under way')
    : pill((error ?? '') === '' ? 'good' : 'bad', error ?? `status ${statusCode ?? ''}`);
  return html`<li><p><strong>Attempt ${number}</strong>${outcome}<span class="note">${moment(at)}${typeof durationMs === 'number' && html` · ${durationMs} ms`}${typeof url === 'string' && html` · <bdi>${url}</bdi>`}</span></p>
${typeof response === 'string' && response !== '' && html`<details><summary>What was answered</summary><pre tabindex="0">${response}</pre></details>`}</li>
`;
}

/** What was sent and how that is signed, where it is kept. */
function requestSent({ request }: Members): Html {
  if (request === undefined) return html``;
  const { headers, signatures, ownHeaders, body } = Object(request) as Record<string, Record<string, unknown>> & {
    body?: string | null;
  };
  const own = Object.values(ownHeaders ?? {}).map(String);
  return html`${headsOf('Headers', headers)}
${headsOf('Signatures', signatures)}
${own.length > 0 && section('Headers of its owner', html`<p><bdi>${own.join(', ')}</bdi>: what they hold is theirs.</p>`)}
${section('Body', (body ?? '') === '' ? none('It was deleted.') : html`<pre>${spaced(String(body))}</pre>`)}`;
}

const headsOf = (title: string, heads: Record<string, unknown> = {}): Html =>
  section(
    title,
    html`<dl class="heads">${Object.entries(heads).map(([name, value]) => html`<div><dt><bdi>${name}</bdi></dt><dd><bdi>${String(value)}</bdi></dd></div>`)}</dl>`,
  );

/** As it is read best. */
function spaced(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
