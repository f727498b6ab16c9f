import { expect, it } from 'vitest';
import { walletStatement } from '#modules/wallets';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { eventually } from '../../support/eventually.ts';
import { openLocker } from '../../support/row-locks.ts';
import { changeWallet, kycWallet, loggedIn, moveMoney, pay, refund } from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '1', FEE_PARTNER_WALLET_CREDIT: '2' });
const second = useApp({ FEE_TRANSFER: '1', FEE_PARTNER_WALLET_CREDIT: '2' }, server);

interface Line {
  Reference: string;
  CreatedAt: string;
  CompletedAt: string;
}

async function historyOf({ headers }: TestPartner, wallet: string): Promise<Line[]> {
  const answer = await server.call('GET', `/v2/partner/wallet/${wallet}/history?limit=100`, { headers });
  return answer.json<{ items: Line[] }>().items;
}

it('no history runs backwards under movements by two processes at once, and each has the time of its event', async () => {
  const partner = await server.newPartner({ float: 100_000 });
  const [ada, bola] = [await loggedIn(server, partner, 1_000), await loggedIn(server, partner, 1_000)];
  const wallet = await kycWallet(server, partner);
  const answers = await Promise.all(
    Array.from({ length: 96 }, async (_, turn) => {
      const through = turn % 2 === 0 ? server : second;
      const reference = `r-${turn}`;
      if (turn % 4 < 2)
        return pay(through, turn % 3 === 0 ? ada : bola, {
          paytag: (turn % 3 === 0 ? bola : ada).paytag,
          amount: 1,
          reference,
        });
      const where = [ada.wallet, bola.wallet, wallet][turn % 3] ?? wallet;
      return moveMoney(through, partner, where, turn % 8 < 4 || where === wallet ? 'credit' : 'debit', {
        amount: 3,
        reference,
      });
    }),
  );
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  const answered = new Map(answers.map((answer) => [answer.json<Line>().Reference, answer.json<Line>().CreatedAt]));
  for (const one of [ada.wallet, bola.wallet, wallet]) {
    const lines = await historyOf(partner, one);
    const times = lines.map(({ CreatedAt }) => CreatedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    const events = (await eventsOf(server, one)) as unknown as { data: { CreatedAt: string; Transaction: Line } }[];
    const told = events.map(({ data }) => [data.Transaction.Reference, data.CreatedAt]);
    expect(lines.map(({ Reference, CreatedAt }) => [Reference, CreatedAt]).toReversed()).toEqual(told);
    for (const { Reference, CreatedAt, CompletedAt } of lines) {
      expect([CreatedAt, CompletedAt]).toEqual([answered.get(Reference) ?? CreatedAt, CreatedAt]);
    }
  }
  expect(await brokenInvariants(server)).toEqual([]);
});

it('a refund that waited stands in its history and its statement at the time at which it was credited', async () => {
  const partner = await server.newPartner({ float: 1_000 });
  const wallet = await kycWallet(server, partner);
  await moveMoney(server, partner, wallet, 'credit', { amount: 100, reference: 'in' });
  await moveMoney(server, partner, wallet, 'debit', { amount: 60, reference: 'out' });
  await changeWallet(server, wallet, { status: 'PNC' });
  await refund(server, partner, 'out', { reference: 'back' });
  const from = new Date(Date.now() + 1);
  await eventually(() => expect(Date.now()).toBeGreaterThan(from.getTime()));
  await changeWallet(server, wallet, { status: 'Enabled' });

  const to = new Date(Date.now() + 60_000);
  const { pages, opening, closing } = await walletStatement(server.resources, { reference: wallet, from, to });
  const rows = (await Array.fromAsync(pages)).flat();
  expect([opening, closing]).toEqual([4_000n, 10_000n]);
  expect(rows).toMatchObject([{ reference: 'back', openingBalance: 4_000n, closingBalance: 10_000n }]);
  const [line] = await historyOf(partner, wallet);
  expect(line).toMatchObject({ Reference: 'back', CreatedAt: rows[0]?.createdAt.toISOString() });
  expect(rows[0]?.createdAt.getTime()).toBeGreaterThanOrEqual(from.getTime());
});

it('a change of a wallet is audited with a time after every movement that it waited for', async () => {
  const partner = await server.newPartner({ float: 100 });
  const wallet = await kycWallet(server, partner);
  const { rows } = await server.owner.query('select id from ledger.account where reference = $1', [wallet]);
  const locker = await openLocker(server.owner);
  await locker.lock('ledger.account', [Number(rows[0].id)]);
  const changing = changeWallet(server, wallet, { status: 'PND' });
  await locker.waitedFor();
  const { rows: clock } = await server.owner.query('select clock_timestamp() as now');
  await locker.release();
  await changing;
  const { rows: audited } = await server.owner.query('select at from audit.entry where target = $1', [wallet]);
  expect(audited.map(({ at }) => at > clock[0].now)).toEqual([true]);
});
