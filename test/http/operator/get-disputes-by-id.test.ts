import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { answerDispute, disputeNow, newDispute } from '../../support/disputes.ts';

const server = useSharedApp();

describe('200', () => {
  it('says what is disputed, what is there, and what everybody said', async () => {
    const { id, partner, wallet } = await newDispute(server, { evidence: [{ text: 'a letter' }] });
    await answerDispute(server, partner, id, { text: 'a receipt', link: 'https://files.example/8.pdf' });
    expect(await disputeNow(server, id)).toMatchObject({
      id,
      partnerId: partner.id,
      wallet,
      amount: 300,
      covered: 300,
      state: 'OPEN',
      evidence: [
        { by: 'OPERATOR', text: 'a letter' },
        { by: 'PARTNER', text: 'a receipt', link: 'https://files.example/8.pdf' },
      ],
    });
  });
});
