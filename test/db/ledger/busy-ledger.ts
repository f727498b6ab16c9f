import type { Database } from '#lib/database.ts';
import {
  applyDeferred,
  asMinor,
  changeRules,
  expireHolds,
  liftLien,
  type Posting,
  placeHold,
  placeLien,
  releaseHold,
  settlePendingTo,
} from '#modules/ledger';
import { COMMISSION, FEE, FLOAT, idOf, openCopy, SUSPENSE } from '../../support/ledger-copy.ts';
import { tryPost, untold } from '../../support/post.ts';
import { postingBetween } from '../../support/posting-between.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-03-03T12:00:00Z');

/** Makes books in which everything has happened that can: some of it is over, some still open. */
export async function keepBusy(db: Database): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const copy = await openCopy(db, 'apart', 100_000n);
    const account = (index: number) => idOf(copy.accounts, index);
    const [float, ada, bola, fee] = [account(FLOAT), account(1), account(2), account(FEE)];
    let posted = 0;
    const move = async (from: number, to: number, amount: bigint, more: Partial<Posting> = {}) => {
      posted += 1;
      const names = { owner: copy.owner, partner: copy.owner, reference: `r${posted}` };
      return (await tryPost(db, postingBetween(from, to, amount, { ...names, ...more }), NOW)).id;
    };
    const hold = (reference: string, amount: bigint, expiresAt: Date) =>
      placeHold(
        db,
        {
          owner: copy.owner,
          reference,
          account: ada,
          amount: asMinor(amount),
          expiresAt,
          defaultDailyLimit: asMinor(90_000n),
        },
        NOW,
      );
    const setStatus = (id: number, status: 'Enabled' | 'PNC') =>
      db.transaction((tx) => changeRules(tx, id, { status }, NOW));

    for (const wallet of [ada, bola]) await move(float, wallet, 20_000n);
    const legs = [
      { account: ada, amount: asMinor(-1_040n), fee: asMinor(25n) },
      { account: bola, amount: asMinor(1_000n) },
      { account: fee, amount: asMinor(25n) },
      { account: account(COMMISSION), amount: asMinor(15n) },
    ];
    const transfer = await move(ada, bola, 1_000n, { type: 'TRANSFER', fee: asMinor(25n), legs, limitAccount: ada });
    await move(bola, ada, 1_000n, { type: 'PARTNER_REFUND', original: transfer });
    await move(bola, ada, 1n, { type: 'PARTNER_REFUND', original: transfer });
    const debits = [await move(ada, float, 900n), await move(ada, float, 800n), await move(bola, float, 700n)];
    for (const original of debits.slice(0, 2)) await move(float, ada, 300n, { type: 'PARTNER_REFUND', original });
    await move(ada, float, 999_999n);
    await applyDeferred(db, 2);

    const refund = (original: number | undefined) =>
      move(float, bola, 350n, { type: 'PARTNER_REFUND', original, suspenseAccount: account(SUSPENSE) });
    await setStatus(bola, 'PNC');
    await refund(debits[2]);
    await move(float, bola, 5n);
    await setStatus(bola, 'Enabled');
    await db.transaction((tx) => settlePendingTo(tx, bola, { afterSettling: untold, now: NOW }));
    if (round === 0) {
      await setStatus(bola, 'PNC');
      await refund(debits[2]);
    }

    await move(ada, float, 250n, { hold: await hold('captured', 400n, LATER) });
    await releaseHold(db, await hold('released', 500n, LATER), NOW);
    await hold('expired', 600n, NOW);
    await expireHolds(db, 10, NOW);
    await hold('open', 700n, LATER);
    await db.transaction(async (tx) => {
      const lien = { account: ada, amount: asMinor(50n), reason: 'court order' };
      await liftLien(tx, { account: ada, lien: await placeLien(tx, lien, NOW) }, NOW);
      await placeLien(tx, lien, NOW);
    });
    await move(float, ada, 10n);
  }
}
