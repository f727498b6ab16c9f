import { expect, it } from 'vitest';
import { expireDisputes } from '#modules/disputes';
import { useApp } from '../../support/app.ts';
import { answerDispute, decideDispute, inDays, newDispute, openDispute } from '../../support/disputes.ts';
import { refusalOf } from '../../support/refusals.ts';
import { moveMoney } from '../../support/wallets.ts';

const server = useApp();

type Reader = { headers: Record<string, string> };
const list = (partner: Reader, query = '') =>
  server.call('GET', `/v2/partner/dispute?${query}`, { headers: partner.headers });
const read = (partner: Reader, id: string) =>
  server.call('GET', `/v2/partner/dispute/${id}`, { headers: partner.headers });
const idsOf = (answer: { json: () => { items: { ID: string }[] } }) => answer.json().items.map(({ ID }) => ID);

it('a partner reads what its wallets are disputed for, and nothing of why it was decided', async () => {
  const respondBy = inDays(server, 2);
  const { id, partner, wallet } = await newDispute(server, { respondBy, evidence: [{ text: 'a letter' }] });
  const open = {
    ID: id,
    TransactionReference: 'opening',
    Wallet: wallet,
    Amount: 300,
    Currency: 'NGN',
    State: 'OPEN',
    Reason: 'the payer says it was not they',
    RespondBy: respondBy,
    Evidence: [{ By: 'OPERATOR', Text: 'a letter', CreatedAt: expect.any(String) }],
    Refunded: 0,
    CreatedAt: expect.any(String),
  };
  const answer = await read(partner, id);
  expect(answer.json()).toEqual(open);
  expect(answer.headers['cache-control']).toBe('no-store');
  await decideDispute(server, id, 'LOST');
  expect((await read(partner, id)).json()).toEqual({
    ...open,
    State: 'LOST',
    Refunded: 300,
    RefundReference: `DSP-${id}`,
    DecidedAt: expect.any(String),
  });
});

it('lists its own, newest first, by state and page', async () => {
  const { id: first, partner, wallet } = await newDispute(server, { amount: 100 });
  await newDispute(server);
  await moveMoney(server, partner, wallet, 'debit', { amount: 50, reference: 'for-another' });
  await moveMoney(server, partner, wallet, 'credit', { amount: 50, reference: 'another' });
  const second = (await openDispute(server, partner.id, { transactionReference: 'another' })).json().id;
  await decideDispute(server, first, 'WON');
  expect((await list(partner)).json()).toMatchObject({ count: 2, limit: 20, offset: 0 });
  expect(idsOf(await list(partner))).toEqual([second, first]);
  expect(idsOf(await list(partner, 'limit=1&offset=1'))).toEqual([first]);
  expect(idsOf(await list(partner, 'state=OPEN'))).toEqual([second]);
  expect(idsOf(await list(await server.newPartner()))).toEqual([]);
});

it('adds evidence until the deadline', async () => {
  const { id, partner } = await newDispute(server, { respondBy: new Date(server.clock.now().getTime() + 60_000) });
  await answerDispute(server, partner, id, { text: 'a receipt', link: 'https://files.example/8.pdf' });
  const answer = await answerDispute(server, partner, id, { text: 'and a photograph' });
  expect(answer.json().Evidence).toMatchObject([
    { By: 'PARTNER', Text: 'a receipt', Link: 'https://files.example/8.pdf' },
    { By: 'PARTNER', Text: 'and a photograph' },
  ]);
});

it('adds evidence once under an Idempotency-Key', async () => {
  const { id, partner } = await newDispute(server);
  const send = () =>
    server.call('POST', `/v2/partner/dispute/${id}/evidence`, {
      headers: { ...partner.headers, 'idempotency-key': id },
      payload: { text: 'a receipt' },
    });
  const [one, other] = [await send(), await send()];
  expect(other.json()).toEqual(one.json());
  expect((await read(partner, id)).json().Evidence).toHaveLength(1);
});

it('410: the deadline counts whether or not anybody has marked it', async () => {
  const { id, partner } = await newDispute(server);
  server.clock.advance(7 * 86_400_000);
  expect(refusalOf(await answerDispute(server, partner, id))).toEqual([410, 'DISPUTE_EXPIRED']);
  expect((await read(partner, id)).json()).toMatchObject({ State: 'OPEN', Evidence: [] });
  await expireDisputes(server.resources, 100, server.clock.now());
  expect(refusalOf(await answerDispute(server, partner, id))).toEqual([410, 'DISPUTE_EXPIRED']);
  expect((await read(partner, id)).json()).toMatchObject({ State: 'EXPIRED', ExpiredAt: expect.any(String) });
});
