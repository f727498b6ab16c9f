import { expect, it } from 'vitest';
import type { Brand } from '#lib/brand.ts';
import { messagingByChannel } from '../../../src/providers/messaging/by-channel.ts';
import { plainBrand, zuma } from '../../support/brand/brand.ts';

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
