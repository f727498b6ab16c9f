import { type Html, html } from '#lib/html.ts';
import { fact, pill } from '#lib/markup.ts';
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

function attemptItem({ number, at, statusCode, durationMs, error, response }: Attempt): Html {
  const isUnderWay = (durationMs ?? undefined) === undefined && (error ?? undefined) === undefined;
  const outcome = isUnderWay
    ? pill('wait', 'under way')
    : pill((error ?? '') === '' ? 'good' : 'bad', error ?? `status ${statusCode ?? ''}`);
  return html`<li><p><strong>Attempt ${number}</strong>${outcome}<span class="note">${moment(at)}${typeof durationMs === 'number' && html` · ${durationMs} ms`}</span></p>
${typeof response === 'string' && response !== '' && html`<details><summary>What was answered</summary><pre tabindex="0">${response}</pre></details>`}</li>
`;
}

/** What was sent and how that is signed, where it is kept. */
function sent({ request }: Members): Html {
  if (request === undefined) return html``;
  const { headers, body } = Object(request) as { headers?: Record<string, string>; body?: string | null };
  return html`${headers !== undefined && section('Headers', html`<dl class="heads">${Object.entries(headers).map(([name, value]) => fact(name, html`<bdi>${value}</bdi>`))}</dl>`)}
${body !== undefined && section('Body', (body ?? '') === '' ? none('It is not kept any more.') : html`<pre>${spaced(body ?? '')}</pre>`)}`;
}

/** As it is read best. */
function spaced(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
