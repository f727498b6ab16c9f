import { beforeAll, describe, expect, it } from 'vitest';
import { walletStatement } from '#modules/wallets';
import { type TestPartner, useApp, useSharedApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf, leavesNothingBut } from '../../support/books.ts';
import { eventually } from '../../support/eventually.ts';
import { refusalOf } from '../../support/refusals.ts';
import { openLocker } from '../../support/row-locks.ts';
import { readPdf } from '../../support/statements.ts';
import { initiate, newSide } from '../../support/switch.ts';
import { moveTag } from '../../support/tags.ts';
import {
  changeWallet,
  fundedWallet,
  kycWallet,
  type LoggedIn,
  loggedIn,
  logInAt,
  moveMoney,
  pay,
  refund,
} from '../../support/wallets.ts';

describe('the time of a movement', () => {
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
});

describe('a request sent again', () => {
  const server = useApp({ FEE_TRANSFER: '10', FEE_STAMP_DUTY: '5', FEE_PARTNER_WALLET_DEBIT: '1%' });
  const revoke = (wallet: string) => server.operate('POST', `/wallets/${wallet}/revoke`, { reason: 'she asked us to' });
  const codeOf = (answer: { json(): { errorCode: string } }) => answer.json().errorCode;

  /** A customer who can pay, and one whom she has paid. */
  async function paid() {
    const partner = await server.newPartner({ float: 1000 });
    const [ada, bola] = [await loggedIn(server, partner, 500), await loggedIn(server, partner)];
    const rent = { paytag: bola.paytag, amount: 100, reference: 'rent', comment: 'May' };
    const first = await pay(server, ada, rent);
    expect(first.statusCode).toBe(200);
    return { partner, ada, bola, rent, first: first.json() };
  }

  describe('a transfer sent again answers as it did, and moves nothing', () => {
    it('when the payee’s primary wallet is another one now', async () => {
      const { partner, ada, bola, rent, first } = await paid();
      await logInAt(server, await server.newPartner(), bola);
      await moveMoney(server, partner, bola.wallet, 'debit', { amount: 95, reference: 'all' });
      expect((await revoke(bola.wallet)).statusCode).toBe(200);
      await leavesNothingBut(server, 0, async () => expect((await pay(server, ada, rent)).json()).toEqual(first));
    });

    it('when the payee has closed the PayTag, or is suspended', async () => {
      const { ada, bola, rent, first } = await paid();
      for (const change of ['suspend', 'close'] as const) {
        expect((await moveTag(server, bola.paytag, change)).statusCode).toBe(200);
        const again = await leavesNothingBut(server, 0, () => pay(server, ada, { ...rent, paytag: `@${bola.paytag}` }));
        expect(again.json()).toEqual(first);
        expect(codeOf(await pay(server, ada, { ...rent, amount: 101 }))).toBe('REFERENCE_REUSED');
      }
      expect(codeOf(await pay(server, ada, { ...rent, reference: 'new' }))).toBe('PAYTAG_NOT_FOUND');
    });

    it('when her wallet there was revoked and another one opened', async () => {
      const { partner, ada, rent, first } = await paid();
      await moveMoney(server, partner, ada.wallet, 'debit', { amount: 390, reference: 'empty' });
      expect((await revoke(ada.wallet)).statusCode).toBe(200);
      const anew = await logInAt(server, partner, ada);
      expect(anew.wallet).not.toBe(ada.wallet);
      await leavesNothingBut(server, 0, async () => expect((await pay(server, anew, rent)).json()).toEqual(first));
    });

    it('but from her wallet at another partner it is another request, which shows nothing of this one', async () => {
      const { ada, rent } = await paid();
      const elsewhere = await logInAt(server, await server.newPartner({ float: 500 }), ada, 500);
      expect(refusalOf(await leavesNothingBut(server, 0, () => pay(server, elsewhere, rent)))).toEqual([
        409,
        'REFERENCE_REUSED',
      ]);
    });
  });

  describe('a partner’s movement sent again answers as it did, and moves nothing', () => {
    it('when the wallet was revoked since', async () => {
      const { partner, wallet } = await fundedWallet(server, 100);
      const out = { amount: 100, reference: 'out', externalReference: 'o-1', metadata: { z: 1, a: [{ b: 2, a: 1 }] } };
      const first = await moveMoney(server, partner, wallet, 'debit', out);
      expect((await revoke(wallet)).statusCode).toBe(200);
      await leavesNothingBut(server, 0, async () => {
        expect((await moveMoney(server, partner, wallet, 'debit', out)).json()).toEqual(first.json());
        const credit = { amount: 100, reference: 'opening' };
        expect((await moveMoney(server, partner, wallet, 'credit', credit)).statusCode).toBe(200);
      });
      expect(codeOf(await moveMoney(server, partner, wallet, 'debit', { ...out, amount: 99 }))).toBe(
        'REFERENCE_REUSED',
      );
      expect(codeOf(await moveMoney(server, partner, wallet, 'credit', out))).toBe('REFERENCE_REUSED');
      expect(codeOf(await moveMoney(server, partner, wallet, 'debit', { ...out, reference: 'x' }))).toBe(
        'WALLET_NOT_FOUND',
      );
    });

    it('and the same words for another wallet are another request', async () => {
      const { partner, wallet } = await fundedWallet(server, 100);
      const other = await kycWallet(server, partner);
      await moveMoney(server, partner, wallet, 'debit', { amount: 50, reference: 'back' });
      const answer = await moveMoney(server, partner, other, 'credit', { amount: 100, reference: 'opening' });
      expect(codeOf(answer)).toBe('REFERENCE_REUSED');
    });

    it('a refund that waited and has been credited since is Pending as it was, and without balances', async () => {
      const { partner, wallet } = await fundedWallet(server, 100);
      await moveMoney(server, partner, wallet, 'debit', { amount: 40, reference: 'out' });
      await changeWallet(server, wallet, { status: 'PNC' });
      const back = () => refund(server, partner, 'out', { reference: 'back', amount: 30 });
      const first = await back();
      expect(first.json()).toMatchObject({ Status: 'Pending', Amount: 30, ExternalReference: 'out' });
      expect(first.body).not.toMatch(/Balance|CompletedAt/);
      await changeWallet(server, wallet, { status: 'Enabled' });
      await leavesNothingBut(server, 0, async () => expect((await back()).json()).toEqual(first.json()));
    });
  });

  describe('a declined reference is declined again, with the same code', () => {
    it('whether what it speaks of can be found now, or would do it now', async () => {
      const { partner, wallet } = await fundedWallet(server, 100);
      const over = { amount: 101, reference: 'over' };
      const decline = async () => codeOf(await moveMoney(server, partner, wallet, 'debit', over));
      expect(await decline()).toBe('INSUFFICIENT_FUNDS');
      await server.operate('POST', `/partners/${partner.id}/float`, { amount: 50, reference: 'more' });
      await moveMoney(server, partner, wallet, 'credit', { amount: 48, reference: 'more' });
      expect(await decline()).toBe('INSUFFICIENT_FUNDS');
      await moveMoney(server, partner, wallet, 'debit', { amount: 148, reference: 'all' });
      expect((await revoke(wallet)).statusCode).toBe(200);
      expect(await decline()).toBe('INSUFFICIENT_FUNDS');
      expect(await brokenInvariants(server)).toEqual([]);
    });
  });
});

describe('the sender’s own reference', () => {
  const server = useSharedApp();
  /** The senders' own names for what they pay. */
  const OWN = ['rent-of-ada', 'wages-of-acme'];
  let [ada, bola]: (LoggedIn | undefined)[] = [];

  /** Ada pays Bola, who is at another partner, and so does an application. */
  beforeAll(async () => {
    const [here, there] = [await server.newPartner({ float: 1_000 }), await server.newPartner()];
    [ada, bola] = [await loggedIn(server, here, 500), await loggedIn(server, there)];
    const acme = await newSide(server, 'Acme');
    const [reference, wages] = OWN;
    await pay(server, ada, { paytag: bola.paytag, amount: 100, reference, comment: 'May' });
    await initiate(server, acme, { receiverTag: bola.paytag, amount: 50, reference: wages, narration: 'June' });
  });

  /** Everything that a customer and their partner can read of what moved the customer's wallet, as text. */
  async function readsOf(person: LoggedIn): Promise<Record<string, string>> {
    const { headers, wallet } = person;
    const read = async (url: string) => (await server.call('GET', url, { headers })).body;
    const history: { items: { Reference: string }[] } = JSON.parse(await read(`/v2/partner/wallet/${wallet}/history`));
    const each = history.items.map(({ Reference }) => read(`/v2/partner/transaction/${Reference}`));
    const statement = async (format: string) => {
      const asked = await server.call('POST', `/v2/sso/transaction/statement?format=${format}`, { headers });
      return (await server.call('GET', new URL(asked.json<{ url: string }>().url).pathname)).rawPayload;
    };
    return {
      history: JSON.stringify(history),
      transactions: (await Promise.all(each)).join('\n'),
      customer: await read('/v2/sso/transaction'),
      csv: (await statement('csv')).toString(),
      html: (await statement('html')).toString(),
      pdf: (await readPdf(await statement('pdf'))).pages.join('').replaceAll(/\s/g, ''), // it breaks long words
    };
  }

  const places = ['history', 'transactions', 'customer', 'csv', 'html', 'pdf'];
  it.each(places)('the receiving side is shown the comment, and not the sender’s own reference: %s', async (place) => {
    if (bola === undefined) throw new Error('nobody was paid');
    const text = (await readsOf(bola))[place];
    for (const shown of ['May', 'June', 'TRF-', 'SWT-']) expect(text).toContain(shown);
    for (const own of OWN) expect(text).not.toContain(own);
  });

  it('the sender and their partner are shown it', async () => {
    if (ada === undefined) throw new Error('nobody paid');
    const { history, transactions, customer, csv } = await readsOf(ada);
    for (const text of [history, transactions, customer, csv]) expect(text).toContain('rent-of-ada');
  });
});

describe('a change of status', () => {
  const server = useSharedApp();

  it('changing a wallet’s status brings every refund that waited when the wallet takes money again, and none while it does not', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    for (const reference of ['a', 'b']) {
      await moveMoney(server, partner, wallet, 'debit', { amount: 30, reference });
    }
    await changeWallet(server, wallet, { status: 'Blocked' });
    for (const reference of ['a', 'b']) await refund(server, partner, reference, { reference: `back-${reference}` });
    expect((await changeWallet(server, wallet, { status: 'PNC' })).json()).toMatchObject({ totalAmount: 40 });
    expect((await changeWallet(server, wallet, { status: 'PND' })).json()).toMatchObject({ totalAmount: 100 });
    const events = await eventsOf(server, wallet);
    expect(events.map(({ data }) => (data as { Amount: number }).Amount)).toEqual([100, -30, -30, 30, 30]);
  });
});
