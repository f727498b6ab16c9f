import { beforeEach, describe, expect, it } from 'vitest';
import { providerClient } from '../../../src/providers/http-client.ts';
import { MessagingProviderDown } from '../../../src/providers/messaging/port.ts';
import { termiiPhone } from '../../../src/providers/messaging/termii.ts';
import { ownPort } from '../../support/port.ts';
import { failureOf, useStandIn } from '../../support/provider.ts';
import { termii, useless } from '../../support/provider-replies.ts';

const standIn = useStandIn();
const { receiver } = standIn;
const options = {
  apiKey: 'TL_not_to_be_seen',
  senderId: 'PayTag',
  whatsappDevice: 'PayTag device',
  route: 'dnd',
} as const;
const message = { channel: 'sms', to: '+2348030009999', text: '482913 is your PayTag code.' } as const;
const secrets = [options.apiKey, '8030009999', '482913'];
const phone = (given: Partial<Parameters<typeof termiiPhone>[1]> = {}) =>
  termiiPhone(standIn.client, { ...options, ...given });

beforeEach(() => receiver.reset());

describe('the request', () => {
  it.each([
    ['sms', 'dnd', 'dnd', 'PayTag'],
    ['sms', 'generic', 'generic', 'PayTag'],
    ['whatsapp', 'dnd', 'whatsapp', 'PayTag device'],
  ] as const)('by %s over the route %s is the documented one', async (channel, route, sentBy, from) => {
    receiver.answer([termii.sent]);
    await phone({ route }).send({ ...message, channel });
    expect(receiver.requests).toHaveLength(1);
    expect(receiver.requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/sms/send',
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(String(receiver.requests[0]?.body))).toEqual({
      api_key: options.apiKey,
      to: '2348030009999',
      from,
      sms: message.text,
      type: 'plain',
      channel: sentBy,
    });
  });
});

describe('a message', () => {
  it.each(['sent', 'sentAsOnceWas'] as const)('is taken when Termii answers %s', async (reply) => {
    receiver.answer([termii[reply]]);
    await expect(phone().send(message)).resolves.toBeUndefined();
  });

  it.each(['notOk', 'invalidSender', 'insufficientBalance', 'unprocessable'] as const)(
    'is not taken on %s, and the error gives nothing away',
    async (reply) => {
      receiver.answer([termii[reply]]);
      expect(await failureOf(phone().send(message), secrets)).toBeInstanceOf(MessagingProviderDown);
    },
  );

  it.each([...useless, ['breaks the connection', 'drop'] as const])(
    'is not taken by one that %s; it is sent once, and never again by itself',
    async (_, reply) => {
      receiver.answer([reply, termii.sent]);
      expect(await failureOf(phone().send(message), secrets)).toBeInstanceOf(MessagingProviderDown);
      expect(receiver.requests).toHaveLength(1);
    },
  );
});

it.each([
  ['says nothing', 'hang', true],
  ['breaks the connection', 'drop', true],
  ['fails', 500, false],
] as const)('a message to one that %s may come: %s, %s', async (_, reply, mayHaveSent) => {
  receiver.answer([reply]);
  expect(await failureOf(phone().send(message), secrets)).toMatchObject({ mayHaveSent });
});

it('a message to one that is not there never comes', async () => {
  const client = providerClient({ origin: `http://127.0.0.1:${await ownPort()}`, timeoutMs: 60_000 });
  expect(await failureOf(termiiPhone(client, options).send(message), secrets)).toMatchObject({ mayHaveSent: false });
  await client.close();
});

it('a code has six digits, and hardly ever comes twice', () => {
  const codes = Array.from({ length: 200 }, () => phone().newCode());
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
  expect(new Set(codes).size).toBeGreaterThan(190);
});
