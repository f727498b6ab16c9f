import { describe, expect, it } from 'vitest';
import type { Brand } from '#lib/brand.ts';
import { DomainError } from '#lib/domain-error.ts';
import { noMeter } from '#lib/meter.ts';
import { sendCode } from '#modules/limits';
import { messagingByChannel } from '../../src/providers/messaging/by-channel.ts';
import { AddressRefused, MessagingProviderDown } from '../../src/providers/messaging/port.ts';
import { plainBrand, zuma } from '../support/brand/brand.ts';

/** Sends a code by a provider that fails so, and answers what happened, in order. */
async function send(given: { failure?: Error; refusal?: Error; hasAddress?: boolean; hidesAddress?: boolean }) {
  const { failure, refusal, hasAddress = true, hidesAddress = false } = given;
  const steps: string[] = [];
  const step = (name: string) => async () => void steps.push(name);
  const result = sendCode(
    {
      transact: (work) => work({} as never),
      metrics: noMeter,
      messaging: {
        newCode: () => '123456',
        async sendOtp() {
          steps.push('send');
          if (failure !== undefined) throw failure;
        },
      },
    },
    {
      channel: 'sms',
      to: hasAddress ? '+2348031234567' : undefined,
      throttle: { takeSend: step('take'), giveSendBack: step('give back') },
      async reserve() {
        steps.push('reserve');
        if (refusal !== undefined) throw refusal;
      },
      undo: step('undo'),
      addressRefused: (cause) => new DomainError('OTP_CHANNEL_UNAVAILABLE', 'nobody is there', { cause }),
      ...(hidesAddress && { voidCode: step('void') }),
    },
  ).then(
    ({ unconfirmed }) => (unconfirmed === undefined ? 'sent' : 'unconfirmed'),
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );
  return { result: await result, steps };
}

describe('a code', () => {
  const reserved = ['take', 'reserve'];
  const refused = new AddressRefused('no such number');

  it('is counted before it is sent', async () => {
    expect(await send({})).toEqual({ result: 'sent', steps: [...reserved, 'send'] });
  });

  it('that must not be sent returns what it took from the throttle', async () => {
    const refusal = new DomainError('OTP_COOLDOWN', 'wait');
    expect(await send({ refusal })).toEqual({ result: 'OTP_COOLDOWN', steps: [...reserved, 'give back'] });
  });

  it('without an address counts as sent', async () => {
    expect(await send({ hasAddress: false })).toEqual({ result: 'sent', steps: reserved });
  });

  it.each([
    [new MessagingProviderDown('refused'), 'MESSAGING_PROVIDER_UNAVAILABLE'],
    [refused, 'OTP_CHANNEL_UNAVAILABLE'],
    [new Error('the line is dead'), 'Error: the line is dead'],
  ])('that the provider did not accept is taken back: %s', async (failure, result) => {
    expect(await send({ failure })).toEqual({ result, steps: [...reserved, 'send', 'undo', 'give back'] });
  });

  it('that may have been sent counts', async () => {
    const failure = new MessagingProviderDown('no answer', { mayHaveSent: true });
    expect(await send({ failure })).toEqual({ result: 'unconfirmed', steps: [...reserved, 'send'] });
  });

  it('to an address that refuses it is void but counts, where the answer must not reveal it', async () => {
    const steps = [...reserved, 'send', 'void'];
    expect(await send({ failure: refused, hidesAddress: true })).toEqual({ result: 'sent', steps });
  });
});

function recording(brand: Brand) {
  const sent: { subject?: string; text: string }[] = [];
  const take = async (message: { subject?: string; text: string }) => void sent.push(message);
  const options = { countries: ['NG'], brand };
  return { sent, messaging: messagingByChannel({ send: take, newCode: () => '482913' }, { send: take }, options) };
}

it('a code says what it does, wherever it is sent, when it does more than prove who somebody is', async () => {
  const { sent, messaging } = recording(plainBrand);
  const about = 'link your PayTag to ada@acme';
  await messaging.sendOtp({ channel: 'sms', to: '+2348031230000', code: '482913', about });
  await messaging.sendOtp({ channel: 'email', to: 'ada@example.com', code: '482913', about });
  await messaging.sendOtp({ channel: 'sms', to: '+2348031230000', code: '482913' });
  const warning = 'Nobody from PayTag will ever ask you for it.';
  expect(sent.map(({ text }) => text)).toEqual([
    `482913 is your PayTag code to link your PayTag to ada@acme. ${warning}`,
    `482913 is your PayTag code to link your PayTag to ada@acme. ${warning}\n\nPayTag\n`,
    `482913 is your PayTag code. ${warning}`,
  ]);
});

it('messages come from the institution, and mails say who it is and where help is', async () => {
  const { sent, messaging } = recording(zuma);
  await messaging.sendOtp({ channel: 'sms', to: '+2348031230000', code: '482913' });
  await messaging.sendOtp({ channel: 'email', to: 'ada@example.com', code: '482913' });
  const text =
    '482913 is your Zuma Microfinance Bank code. Nobody from Zuma Microfinance Bank will ever ask you for it.';
  const signature = `Zuma Microfinance Bank
1 Marina, Lagos
Licensed by the Central Bank of Nigeria
Help: help@zuma.example or +234 700 000 9862`;
  expect(sent).toEqual([
    expect.objectContaining({ text }),
    expect.objectContaining({ subject: 'Your Zuma Microfinance Bank code', text: `${text}\n\n${signature}\n` }),
  ]);
});
