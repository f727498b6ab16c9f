import { createHash, createHmac } from 'node:crypto';
import { eventExamples } from '#wire/event-examples.ts';
import { type EventName, eventNames } from '#wire/event-names.ts';
import { eventWords } from '#wire/event-webhooks.ts';

/** The client id and the webhook secret with which the examples are signed. */
export const exampleKeys = {
  clientId: 'pk_example_5f2c8b7e91a04d36',
  webhookSecret: 'whsec_ZXhhbXBsZSBzZWNyZXQgZm9yIHRoZSBndWlkZQ==',
} as const;

const [PREFIX = '', KEY = ''] = exampleKeys.webhookSecret.split('_');

/** A UUID for an example, the same each time. */
const idOf = (event: EventName): string =>
  createHash('sha256')
    .update(event)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-7$3-9$4-$5');

/** When an example was sent: a second after its cause. */
function sentAtS(event: EventName): number {
  const moments = JSON.stringify(eventExamples[event]).matchAll(/"(?:CreatedAt|CompletedAt|updatedAt)":"([^"]+)"/g);
  const [first] = [...moments].map(([, moment = '']) => Date.parse(moment));
  return (first ?? Date.parse('2026-01-31T08:00:00.000Z')) / 1000 + 1;
}

/** The headers with which an example is sent. */
function headersOf(event: EventName, body: string): Record<string, string> {
  const id = idOf(event);
  const timestamp = String(sentAtS(event));
  const mac = createHmac('sha256', Buffer.from(KEY, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'PayTag-Webhooks/1',
    'R-Signature': createHmac('sha512', exampleKeys.clientId).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac}`,
    traceparent: `00-${id.replaceAll('-', '')}-${id.slice(-12)}a3f1-00`,
    ...(event.startsWith('wallet.') ? { 'webhook-sequence': event === 'wallet.credited' ? '8' : '9' } : {}),
  };
}

function pageOf(event: EventName): string {
  const example = eventExamples[event];
  const headers = Object.entries(headersOf(event, JSON.stringify(example)));
  const { summary, description } = eventWords[event];
  return [
    `### ${event}`,
    `${summary}. ${description}`,
    ['```http', ...headers.map(([name, value]) => `${name}: ${value}`), '```'].join('\n'),
    ['```json', JSON.stringify(example, null, 2), '```'].join('\n'),
  ].join('\n\n');
}

const pagesOf = (events: readonly EventName[]): string =>
  [
    `The examples are signed with the client id \`${exampleKeys.clientId}\` and the webhook secret \`${PREFIX}_${KEY}\`, over the body without the spaces and line breaks that are added here.`,
    ...events.map(pageOf),
  ].join('\n\n');

/** The contract writes events of applications in capitals, and those of partners in lower case. */
const isOfApplications = (event: EventName): boolean => /^[A-Z]/.test(event);

/** Every event of a partner with its description, headers and body. */
export const partnerEventPages = (): string => pagesOf(eventNames.filter((event) => !isOfApplications(event)));
/** The same of an application. */
export const switchEventPages = (): string => pagesOf(eventNames.filter(isOfApplications));
