import { describe, expect, it } from 'vitest';
import { sendPayouts } from '#modules/payouts';
import { useApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { ACCOUNT, payoutsOf, scriptedProvider } from '../../support/payouts.ts';
import { changeWallet, fundedWallet, newReference } from '../../support/wallets.ts';

describe('workers that are late', () => {
  const server = useApp();
  const payouts = payoutsOf(server);
  const { payOut, read, carry } = payouts;

  /** The payout of a reference, as the operator sees it. */
  const shown = async (reference: string, wallet = payouts.wallet) => {
    const { items } = (await server.operate('GET', `/payouts?wallet=${wallet}`)).json();
    return items.find((each: { reference: string }) => each.reference === reference);
  };
  const ordered = async () => {
    const reference = newReference();
    expect((await payOut({ reference })).statusCode).toBe(200);
    return reference;
  };
  const run = (provider: Parameters<typeof carry>[0], more: object = {}) =>
    sendPayouts({ ...server.resources, payoutProvider: provider, ...more });

  describe('a payout is not sent twice', () => {
    it('by a worker that woke up when its time was over', async () => {
      const reference = await ordered();
      const [other, late] = [scriptedProvider({ sends: ['UNKNOWN'] }), scriptedProvider()];
      const frozen: typeof late.provider = {
        ...late.provider,
        send: async (order, record) => {
          await carry(other.provider); // its lease is over
          return late.provider.send(order, record);
        },
      };
      await carry(frozen);
      expect([late.sent.length, other.sent.length]).toEqual([0, 1]);
      expect(await shown(reference)).toMatchObject({ state: 'UNKNOWN', attempts: 2 });
      await carry();
      expect(await read(reference)).toMatchObject({ Status: 'Successful' });
    });

    it('by a worker that froze between writing down that it sends and sending', async () => {
      const reference = await ordered();
      const late = scriptedProvider();
      const frozen: typeof late.provider = {
        ...late.provider,
        send: async (order, record) =>
          late.provider.send(order, async () => {
            const recording = record();
            server.clock.advance(server.resources.payouts.leaseMs);
            return recording;
          }),
      };
      await carry(frozen);
      expect(late.sent).toEqual([]);
      await carry();
      expect(await read(reference)).toMatchObject({ Status: 'Successful' });
    });

    it('because the wallet was frozen when another worker, which is late, looked', async () => {
      const own = await fundedWallet(server, 5_000);
      const reference = newReference();
      const payload = { amount: 1000, reference, ...ACCOUNT };
      await server.call('POST', `/v2/partner/wallet/${own.wallet}/payout`, { headers: own.partner.headers, payload });
      await changeWallet(server, own.wallet, { status: 'PND' });
      const other = scriptedProvider({ sends: ['UNKNOWN'] });
      let isFirst = true;
      const transact: typeof server.resources.transact = async (work) => {
        if (isFirst) {
          isFirst = false;
          await changeWallet(server, own.wallet, { status: 'Enabled' });
          await carry(other.provider);
        }
        return server.resources.transact(work);
      };
      server.clock.advance(60_000);
      await run(scriptedProvider().provider, { transact });
      expect(await shown(reference, own.wallet)).toMatchObject({ state: 'UNKNOWN' });
      await carry();
      expect(await shown(reference, own.wallet)).toMatchObject({ state: 'SUCCESSFUL' });
    });
  });

  describe('a worker that is about to end', () => {
    it('hands back what it has claimed and not asked for: it is sent at once by another, and what was asked for is not', async () => {
      const references = await Promise.all([ordered(), ordered(), ordered()]);
      const closing = new AbortController();
      const [script, other] = [scriptedProvider(), scriptedProvider()];
      const all = Promise.withResolvers<void>();
      let [begun, isFirst] = [0, true];
      const ending: typeof script.provider = {
        ...script.provider,
        send: async (order, record) => {
          begun += 1;
          if (begun === references.length) all.resolve();
          await all.promise;
          if (isFirst) {
            isFirst = false;
            return script.provider.send(order, async () => {
              const recorded = await record();
              closing.abort();
              return recorded;
            });
          }
          await eventually(() => expect(closing.signal.aborted).toBe(true));
          return script.provider.send(order, record);
        },
      };
      await sendPayouts({ ...server.resources, payoutProvider: ending }, closing.signal);
      expect(script.sent).toHaveLength(1);
      const states = await Promise.all(references.map(async (reference) => (await shown(reference)).state));
      expect(states.filter((state) => state === 'PENDING')).toHaveLength(2);
      await sendPayouts({ ...server.resources, payoutProvider: other.provider });
      expect(other.sent).toHaveLength(2);
      for (const reference of references) expect(await read(reference)).toMatchObject({ Status: 'Successful' });
    });
  });

  describe('what cannot have been sent is sent', () => {
    it('by another worker, when the one that had claimed it died before it wrote down that it sends', async () => {
      const references = await Promise.all([ordered(), ordered()]);
      const dying = { ...scriptedProvider().provider, send: () => new Promise<never>(() => undefined) };
      server.clock.advance(60_000);
      void run(dying);
      await eventually(async () => {
        for (const reference of references)
          expect(await shown(reference)).toMatchObject({ state: 'PENDING', attempts: 1 });
      });
      const script = scriptedProvider();
      await carry(script.provider, server.resources.payouts.leaseMs);
      expect([script.sent.length, script.asked]).toEqual([2, 0]);
      for (const reference of references) expect(await read(reference)).toMatchObject({ Status: 'Successful' });
    });
  });
});
