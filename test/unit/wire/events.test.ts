import { expect, it } from 'vitest';
import { eventNames } from '#wire/event-names.ts';
import { eventBodies } from '#wire/events.ts';
import { exampleKeys } from '../../../src/docs/event-pages.ts';
import { signedHeaders } from '../../../src/modules/webhooks/sign.ts';
import { blocksOf, documentAt } from '../../support/documents.ts';

const guide = documentAt('src/docs/webhooks.md');
const shapes: Record<string, { parse: (body: unknown) => unknown }> = eventBodies;

/** The examples of the guide: headers and body of each event. */
const shown = blocksOf(guide, 'http').map((block, at) => {
  const headers = block
    .trim()
    .split('\n')
    .map((line) => line.split(': ') as [string, string]);
  return {
    headers: Object.fromEntries(headers),
    body: JSON.parse(blocksOf(guide, 'json')[at] ?? '') as { event: string },
  };
});

it('the webhooks guide shows every event once, as its shape has it', () => {
  expect(shown.map(({ body }) => body.event)).toEqual(eventNames);
  for (const { body } of shown) expect(shapes[body.event]?.parse(body)).toEqual(body);
});

it('the webhooks guide shows the headers as they are sent, signed by the keys that it names', () => {
  for (const { headers, body } of shown) {
    const rawBody = JSON.stringify(body);
    const { event } = body;
    const sequence = event.startsWith('wallet.') ? '8' : null;
    const secrets = [exampleKeys.webhookSecret];
    const message = { eventId: String(headers['webhook-id']), body: Buffer.from(rawBody), sequence };
    const sent = signedHeaders(
      message,
      { ...exampleKeys, secrets, headers: {} },
      new Date(Number(headers['webhook-timestamp']) * 1000),
    );
    expect(Object.keys(headers).toSorted()).toEqual(Object.keys(sent).toSorted());
    expect(headers).toMatchObject({
      'R-Signature': sent['R-Signature'],
      'webhook-signature': sent['webhook-signature'],
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
    });
  }
});
