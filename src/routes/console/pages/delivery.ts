import { type Html, html, pill } from '#lib/html.ts';
import { addressOfThing, type Members } from '../catalogue/things.ts';
import { factsOf } from '../look/facts.ts';
import { moment } from '../look/values.ts';
import { everything, headOfThing } from '../reads/item-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';
import { chosenOf, none, section } from './sections.ts';

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
${sent(answer)}
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
function sent({ request }: Members): Html {
  if (request === undefined) return html``;
  const { headers, signatures, ownHeaders, body } = Object(request) as Record<string, Record<string, unknown>> & {
    body?: string | null;
  };
  const own = Object.values(ownHeaders ?? {}).map(String);
  return html`${headsOf('Headers', headers)}
${headsOf('Signatures', signatures)}
${own.length > 0 && section('Headers of its owner', html`<p><bdi>${own.join(', ')}</bdi>: what they hold is theirs.</p>`)}
${section('Body', (body ?? '') === '' ? none('It is not kept any more.') : html`<pre>${spaced(String(body))}</pre>`)}`;
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
