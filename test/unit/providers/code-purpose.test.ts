import { expect, it } from 'vitest';
import { messagingByChannel } from '../../../src/providers/messaging/by-channel.ts';

it('a code says what it does, wherever it is sent, when it does more than prove who somebody is', async () => {
  const texts: string[] = [];
  const take = async ({ text }: { text: string }) => void texts.push(text);
  const messaging = messagingByChannel({ send: take, newCode: () => '482913' }, { send: take }, ['NG']);
  const about = 'link your PayTag to ada@acme';
  await messaging.sendOtp({ channel: 'sms', to: '+2348031230000', code: '482913', about });
  await messaging.sendOtp({ channel: 'email', to: 'ada@example.com', code: '482913', about });
  await messaging.sendOtp({ channel: 'sms', to: '+2348031230000', code: '482913' });
  const warning = 'Nobody from PayTag will ever ask you for it.';
  expect(texts).toEqual([
    `482913 is your PayTag code to link your PayTag to ada@acme. ${warning}`,
    `482913 is your PayTag code to link your PayTag to ada@acme. ${warning}`,
    `482913 is your PayTag code. ${warning}`,
  ]);
});
