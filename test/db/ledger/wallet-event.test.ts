import { expect, it } from 'vitest';
import { createKeyring } from '#lib/crypto/keyring.ts';

import { registerReceiver } from '#modules/outbox';
import { useLedger } from '../../support/ledger.ts';
import { post } from '../../support/post.ts';
import { postingBetween } from '../../support/posting-between.ts';

const ledger = useLedger();
const keyring = createKeyring(Buffer.alloc(32, 7));

async function eventsOf(amounts: readonly bigint[], comment?: string) {
  const book = await ledger.newBook(1_000_000n);
  await ledger.db.transaction((tx) =>
    registerReceiver(tx, keyring, {
      ownerId: book.partner,
      ownerKind: 'PARTNER',
      now: new Date(),
      url: null,
      clientId: `pc_${book.partner}`,
      secret: 'whsec_c2VjcmV0',
    }),
  );
  for (const [index, amount] of amounts.entries()) {
    const externalReference = comment === undefined ? undefined : 'theirs';
    const names = { owner: book.partner, partner: book.partner, reference: `r${index}`, comment, externalReference };
    await post(ledger.db, postingBetween(book.float, book.wallet, amount, names));
  }
  const { rows } = await ledger.pool.query(
    'select event, reference, body, sequence::int from outbox.event where reference = $1 order by sequence',
    [book.walletReference],
  );
  return { book, events: rows as { event: string; reference: string; body: string; sequence: number }[] };
}

it('publishes every movement of a wallet in the transaction that makes it, with every member of the contract', async () => {
  const { book, events } = await eventsOf([150_050n, -50n]);
  expect(events.map(({ event, sequence }) => [event, sequence])).toEqual([
    ['wallet.credited', 1],
    ['wallet.debited', 2],
  ]);
  expect(events.map(({ body }) => JSON.parse(body))).toEqual([
    {
      event: 'wallet.credited',
      reference: book.walletReference,
      data: {
        Amount: 1500.5,
        Operation: 'Credit',
        Transaction: {
          Amount: 1500.5,
          Fee: 0,
          Status: 'Successful',
          Reference: 'r0',
          ExternalReference: '',
          Comment: '',
        },
        OpeningBalance: 0,
        ClosingBalance: 1500.5,
        CreatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    },
    {
      event: 'wallet.debited',
      reference: book.walletReference,
      data: {
        Amount: -0.5,
        Operation: 'Debit',
        Transaction: { Amount: 0.5, Fee: 0, Status: 'Successful', Reference: 'r1', ExternalReference: '', Comment: '' },
        OpeningBalance: 1500.5,
        ClosingBalance: 1500,
        CreatedAt: expect.any(String),
      },
    },
  ]);
});

it('is written byte for byte as JSON.stringify would, so that a receiver that serialises it again still verifies it', async () => {
  const comment = 'naïve "quotes" \\ \n\t\u0001 ₦ 😀 </script>';
  const { events } = await eventsOf([1n, 10n, 100n, 123_456n, -99n], comment);
  for (const { body } of events) {
    expect(body).toBe(JSON.stringify(JSON.parse(body)));
    expect(JSON.parse(body).data.Transaction).toMatchObject({ Comment: comment, ExternalReference: 'theirs' });
  }
  expect(events).toHaveLength(5);
});
