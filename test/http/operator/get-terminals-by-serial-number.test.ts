import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { newSplit, newTerminal, payAt } from '../../support/terminals.ts';

const server = useSharedApp();

describe('200', () => {
  it('whose it is, what it brought in, and its splits, newest first; who is behind it is masked for a viewer', async () => {
    const partner = await server.newPartner();
    const serial = await newTerminal(server, partner, { email: 'shop@umeh.example', phoneNumber: '+2348035550199' });
    const [fridge, tv] = [await newSplit(server, serial, 100), await newSplit(server, serial, 50)];
    await payAt(server, serial, { amount: 40, split: fridge, reference: 'paid-1' });
    const answer = await server.operate('GET', `/terminals/${serial}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      serialNumber: serial,
      partnerId: partner.id,
      balance: 40,
      email: 'shop@umeh.example',
      splits: [
        { reference: tv, status: 'Pending', amount: 50, totalPaid: 0, terminal: serial },
        { reference: fridge, status: 'Pending', amount: 100, totalPaid: 40, remaining: 60, partnerId: partner.id },
      ],
    });
    const { operate } = await newOperator(server, 'viewer');
    const seen = (await operate('GET', `/terminals/${serial}`)).json();
    expect(seen).toMatchObject({
      email: 's***@umeh.example',
      phoneNumber: '**********0199',
      splits: [{ title: '***' }, {}],
    });
  });
});
