import { setTimeout as wait } from 'node:timers/promises';
import { type BankProvider, BankProviderDown } from './bank/port.ts';
import { bankSimulator } from './bank/simulator.ts';
import { type BvnProvider, BvnProviderDown } from './bvn/port.ts';
import { bvnSimulator } from './bvn/simulator.ts';
import type { DisturbedAnswer, ProviderName, TakeDisturbance } from './disturbance.ts';
import { type EmailProvider, EmailProviderDown } from './email/port.ts';
import { emailSimulator } from './email/simulator.ts';
import { MessagingProviderDown, type PhoneMessenger } from './messaging/port.ts';
import { phoneSimulator } from './messaging/simulator.ts';

const said = { fail: 'the simulator was told to fail', timeout: 'the simulator was told not to answer' } as const;

/** Waits as the caller has asked for. @throws what `down` makes, where the simulator is to fail or not to answer */
const meet =
  (take: TakeDisturbance) =>
  async (provider: ProviderName, down: (message: string, answer: DisturbedAnswer) => Error): Promise<void> => {
    const disturbance = await take(provider);
    if (disturbance === undefined) return;
    const { answer, delayMs } = disturbance;
    await wait(delayMs, undefined, { ref: false });
    if (answer !== 'slow') throw down(said[answer], answer);
  };

/** The simulators, which fail, do not answer or are slow where their caller has asked for it. */
export function disturbedSimulators(take: TakeDisturbance): {
  bvn: BvnProvider;
  bank: BankProvider;
  phone: PhoneMessenger;
  email: EmailProvider;
} {
  const disturbed = meet(take);
  return {
    bvn: {
      ...bvnSimulator,
      async verify(claim) {
        await disturbed('bvn', (message) => new BvnProviderDown(message));
        return bvnSimulator.verify(claim);
      },
    },
    bank: {
      async enquire(claim) {
        await disturbed('bank', (message) => new BankProviderDown(message));
        return bankSimulator.enquire(claim);
      },
    },
    phone: {
      ...phoneSimulator,
      async send(message) {
        const mayHaveSent = (answer: DisturbedAnswer) => ({ mayHaveSent: answer === 'timeout' });
        await disturbed('messaging', (text, answer) => new MessagingProviderDown(text, mayHaveSent(answer)));
        return phoneSimulator.send(message);
      },
    },
    email: {
      async send(message) {
        await disturbed('email', (text, answer) => new EmailProviderDown(text, { mayHaveSent: answer === 'timeout' }));
        return emailSimulator.send(message);
      },
    },
  };
}
