import { describe, expect, it } from 'vitest';
import { createKeyring } from '#lib/crypto/keyring.ts';
import { asMinor, type Posting, systemAccount } from '#modules/ledger';
import { registerReceiver } from '#modules/outbox';
import { type Book, useLedger } from '../../support/ledger.ts';
import { post, postingBetween, postingJson } from '../../support/post.ts';

const ledger = useLedger();
const credit = (book: Book, amount: bigint, reference: string, more: Partial<Posting> = {}) =>
  post(
    ledger.db,
    postingBetween(book.float, book.wallet, amount, { owner: book.partner, partner: book.partner, reference, ...more }),
  );

const count = async (table: string, where: string, ...values: unknown[]) => {
  const { rows } = await ledger.pool.query(`select count(*)::int as n from ${table} where ${where}`, values);
  return Number(rows[0].n);
};

describe('a posting', () => {
  it('moves money between accounts and says the balances around it', async () => {
    const book = await ledger.newBook(100_000n);
    const posted = await credit(book, 25_050n, 'first');
    expect(posted).toMatchObject({
      replayed: false,
      entries: [
        { account: book.float, amount: -25_050n, opening: 100_000n, closing: 74_950n },
        { account: book.wallet, amount: 25_050n, opening: 0n, closing: 25_050n },
      ],
    });
    expect(await ledger.balance(book.wallet)).toBe(25_050n);
    expect(await ledger.balance(book.float)).toBe(74_950n);
  });

  it('says balances exactly up to the largest, and lets none grow beyond it, alone or in a batch', async () => {
    const largest = 999_999_999_999_999n;
    const book = await ledger.newBook(largest);
    const { entries } = await credit(book, largest - 1n, 'large');
    expect(entries).toEqual([
      { account: book.float, amount: 1n - largest, opening: largest, closing: 1n },
      { account: book.wallet, amount: largest - 1n, opening: 0n, closing: largest - 1n },
    ]);
    const other = await ledger.newBook(10n);
    const more = (reference: string, amount: bigint) =>
      credit({ ...other, wallet: book.wallet }, amount, reference).then(
        () => 'posted',
        (error: { code: string }) => error.code,
      );
    expect(await more('beyond', 2n)).toBe('BALANCE_EXCEEDED');
    expect(await more('to the brim', 1n)).toBe('posted');
    expect(await more('over it', 1n)).toBe('BALANCE_EXCEEDED');
  });

  it('answers a repeated reference as it did the first time and moves nothing', async () => {
    const book = await ledger.newBook(100_000n);
    const first = await credit(book, 100n, 'again');
    await credit(book, 100n, 'between');
    const second = await credit(book, 100n, 'again');
    expect(second).toEqual({ ...first, replayed: true });
    expect(await ledger.balance(book.wallet)).toBe(200n);
  });

  it('knows a repeated request again when its metadata comes in another order', async () => {
    const book = await ledger.newBook(100_000n);
    const first = await credit(book, 100n, 'ordered', { metadata: { a: 1, b: { c: [1, 2], d: null } } });
    const second = await credit(book, 100n, 'ordered', { metadata: { b: { d: null, c: [1, 2] }, a: 1 } });
    expect(second).toEqual({ ...first, replayed: true });
    const other = credit(book, 100n, 'ordered', { metadata: { a: 1, b: { c: [2, 1], d: null } } });
    await expect(other).rejects.toMatchObject({ code: 'REFERENCE_REUSED' });
  });

  it('refuses a reference that stands for another request', async () => {
    const book = await ledger.newBook(100_000n);
    await credit(book, 100n, 'mine');
    await expect(credit(book, 101n, 'mine')).rejects.toMatchObject({ code: 'REFERENCE_REUSED' });
    await expect(credit(book, 100n, 'mine', { comment: 'other' })).rejects.toMatchObject({ code: 'REFERENCE_REUSED' });
    expect(await ledger.balance(book.wallet)).toBe(100n);
  });

  it('answers a repeated reference as it did the first time, even when the charges have changed', async () => {
    const book = await ledger.newBook(100_000n);
    const first = await credit(book, 100n, 'charged');
    const dearer = postingBetween(book.float, book.wallet, 100n, {
      owner: book.partner,
      partner: book.partner,
      reference: 'charged',
      fee: asMinor(25n),
      legs: [
        { account: book.float, amount: asMinor(-125n), fee: asMinor(25n) },
        { account: book.wallet, amount: asMinor(100n) },
        { account: systemAccount('FEE', 'NGN'), amount: asMinor(25n) },
      ],
    });
    expect(await post(ledger.db, dearer)).toEqual({ ...first, replayed: true });
    expect(await ledger.balance(book.float)).toBe(99_900n);
  });

  it('lets two partners use the same reference', async () => {
    const [one, two] = [await ledger.newBook(1_000n), await ledger.newBook(1_000n)];
    await credit(one, 100n, 'shared');
    await credit(two, 100n, 'shared');
    expect(await ledger.balance(two.wallet)).toBe(100n);
  });

  it('posts once when the same reference is sent 50 times at once', async () => {
    const book = await ledger.newBook(100_000n);
    const all = await Promise.all(Array.from({ length: 50 }, () => credit(book, 700n, 'twins')));
    expect(all.filter((posted) => !posted.replayed)).toHaveLength(1);
    expect(new Set(all.map((posted) => posted.id)).size).toBe(1);
    expect(await ledger.balance(book.wallet)).toBe(700n);
  });
});

describe('a refused posting', () => {
  it('goes below no floor, and leaves its reference and no entry', async () => {
    const book = await ledger.newBook(1_000n);
    await expect(credit(book, 1_001n, 'too-much')).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect(await count('ledger.transaction', `owner_id = $1 and status = 'Failed'`, book.partner)).toBe(1);
    expect(await count('ledger.entry', 'account_id = $1', book.wallet)).toBe(0);
    expect(await count('outbox.event', 'reference = $1', book.walletReference)).toBe(0);
  });

  it('stays refused after money has arrived', async () => {
    const book = await ledger.newBook(1_000n);
    await expect(credit(book, -500n, 'early')).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    await credit(book, 600n, 'money');
    await expect(credit(book, -500n, 'early')).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect(await ledger.balance(book.wallet)).toBe(600n);
  });

  it.each([
    ['Blocked', 100n, 'WALLET_BLOCKED'],
    ['Blocked', -100n, 'WALLET_BLOCKED'],
    ['PND', -100n, 'WALLET_PND'],
    ['PNC', 100n, 'WALLET_PNC'],
  ])('a wallet in status %s refuses %d with %s', async (status, amount, code) => {
    const book = await ledger.newBook(10_000n);
    await credit(book, 1_000n, 'before');
    await ledger.pool.query('update ledger.account set status = $1 where id = $2', [status, book.wallet]);
    await expect(credit(book, amount, 'refused')).rejects.toMatchObject({ code });
    expect(await ledger.balance(book.wallet)).toBe(1_000n);
  });

  it.each([
    ['PND', 100n],
    ['PNC', -100n],
  ])('a wallet in status %s still allows %d', async (status, amount) => {
    const book = await ledger.newBook(10_000n);
    await credit(book, 1_000n, 'before');
    await ledger.pool.query('update ledger.account set status = $1 where id = $2', [status, book.wallet]);
    await credit(book, amount, 'allowed');
    expect(await ledger.balance(book.wallet)).toBe(1_000n + amount);
  });

  it('spends neither what is held nor what is under lien', async () => {
    const book = await ledger.newBook(10_000n);
    await credit(book, 1_000n, 'before');
    await ledger.pool.query('update ledger.account set suspended = 300, liens = 200 where id = $1', [book.wallet]);
    await expect(credit(book, -501n, 'over')).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    await credit(book, -500n, 'exactly');
    expect(await ledger.balance(book.wallet)).toBe(500n);
  });
});

describe('the books', () => {
  it('take no posting whose legs do not sum to zero', async () => {
    const book = await ledger.newBook(1_000n);
    const straight = postingBetween(book.float, book.wallet, 100n, { owner: book.partner, reference: 'lopsided' });
    const lopsided = post(ledger.db, {
      ...straight,
      legs: [
        { account: book.float, amount: asMinor(-100n) },
        { account: book.wallet, amount: asMinor(99n) },
      ],
    });
    await expect(lopsided).rejects.toMatchObject({ code: 'PT001' });
    expect(await ledger.balance(book.wallet)).toBe(0n);
  });

  it.each(['alone', 'among others'])(
    'take no posting without legs, nor one that names a wallet twice: %s',
    async (where) => {
      const book = await ledger.newBook(1_000n);
      const neighbour = postingBetween(book.float, book.wallet, 1n, { owner: book.partner, reference: 'neighbour' });
      const sent = async (odd: Posting) => {
        const batch = where === 'alone' ? [odd] : [neighbour, odd];
        const call = await ledger.pool.query('select * from ledger.post($1)', [`[${batch.map(postingJson).join()}]`]);
        return call.rows.at(-1);
      };
      const twice = { ...neighbour, reference: 'twice', legs: [...neighbour.legs, ...neighbour.legs] };
      expect(await sent({ ...neighbour, reference: 'none', legs: [] })).toMatchObject({ outcome: 'ACCOUNT_NOT_FOUND' });
      await expect(sent(twice)).rejects.toMatchObject({ code: '23505' });
      expect(await ledger.balance(book.wallet)).toBe(where === 'alone' ? 0n : 1n);
    },
  );

  it.each(['update ledger.entry set amount = amount', 'delete from ledger.entry', 'truncate ledger.entry'])(
    'refuse to be rewritten: %s',
    async (statement) => {
      await ledger.newBook(1_000n);
      await expect(ledger.pool.query(statement)).rejects.toMatchObject({ code: 'PT002' });
    },
  );
});

describe('several postings in one call', () => {
  const wire = (book: Book, amount: bigint, reference: string, hash = 'aa') => ({
    owner: book.partner,
    namer: 'PARTNER',
    partner: book.partner,
    reference,
    type: 'PARTNER_WALLET_CREDIT',
    requestHash: hash,
    mac: '00',
    amount: String(amount),
    currency: 'NGN',
    legs: [
      { account: book.float, amount: String(-amount) },
      { account: book.wallet, amount: String(amount) },
    ],
  });
  const postAll = async (postings: object[]) =>
    (await ledger.pool.query('select outcome, replayed from ledger.post($1)', [JSON.stringify(postings)])).rows;

  it('have each their own outcome: one refused never touches its neighbours', async () => {
    const book = await ledger.newBook(1_000n);
    expect(
      await postAll([
        wire(book, 400n, 'a'),
        wire(book, 700n, 'b'),
        wire(book, 600n, 'c'),
        wire(book, 400n, 'a'),
        wire(book, 400n, 'a', 'bb'),
      ]),
    ).toEqual([
      { outcome: 'Successful', replayed: false },
      { outcome: 'INSUFFICIENT_FUNDS', replayed: false },
      { outcome: 'Successful', replayed: false },
      { outcome: 'Successful', replayed: true },
      { outcome: 'REFERENCE_REUSED', replayed: true },
    ]);
    expect(await ledger.balance(book.wallet)).toBe(1_000n);
  });

  it('never deadlock, whatever the order of their accounts', async () => {
    const book = await ledger.newBook(1_000_000n);
    const other = { ...book, wallet: await ledger.newWallet(book.partner) };
    const run = (client: number) => (round: number) => {
      const pair = [wire(book, 1n, `a-${client}-${round}`), wire(other, 1n, `b-${client}-${round}`)];
      return postAll(client % 2 === 0 ? pair : pair.toReversed());
    };
    const rounds = Array.from({ length: 25 }, (_, round) => round);
    await Promise.all(Array.from({ length: 16 }, (_, client) => Promise.all(rounds.map(run(client)))));
    expect(await ledger.balance(book.wallet)).toBe(400n);
    expect(await ledger.balance(other.wallet)).toBe(400n);
    expect(await ledger.balance(book.float)).toBe(999_200n);
  });
});

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
