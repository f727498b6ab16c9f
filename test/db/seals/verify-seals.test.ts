import { randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { createKeyring } from '#lib/crypto/keyring.ts';
import { listSigningKeys, revokeSigningKey } from '#modules/keys';
import { sealDue } from '#modules/proof';
import { purgeDeliveries } from '#modules/webhooks';
import { copyDatabase } from '../../support/database.ts';
import { sealedColumn } from '../../support/sealed.ts';
import { change, useSealedBooks, verify, withSealer } from './sealed-books.ts';

const books = useSealedBooks();

/** A copy of the books to which something was done that nobody may do; and what is said of it. */
async function after(...statements: string[]) {
  const url = await copyDatabase(books.url);
  await change(url, ...statements);
  return verify(url, books.copy);
}

const SOME = `(select min(e.transaction_id) from ledger.entry e join ledger.account a on a.id = e.account_id where a.emits)`;
const says = (what: RegExp | string) => expect.objectContaining({ what: expect.stringMatching(what) });
const HOUR = /^(\d{4}-\d\d-\d\dT\d\d:00:00\.000Z|the beginning) to \d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/;

/** What is done to the books, and which contents of which hour must be named: one hour, and nothing else. */
const plants: readonly { what: string; statement: string; names: RegExp }[] = [
  {
    what: 'the amount of an entry',
    statement: `update ledger.entry set amount = amount + 1, opening = null, closing = null, version = null
      where transaction_id = ${SOME} and leg = 1`,
    names: /^entries changed: still \d+ rows, with other contents$/,
  },
  {
    what: 'the date of an entry, by a millisecond',
    statement: `update ledger.entry set created_at = created_at + interval '1 ms' where transaction_id = ${SOME} and leg = 1`,
    names: /^entries changed: still/,
  },
  {
    what: 'the comment of a transaction',
    statement: `update ledger.transaction set comment = 'rent' where id = ${SOME}`,
    names: /^transactions changed: still/,
  },
  {
    what: 'the outcome of a transaction',
    statement: `update ledger.transaction set status = 'Failed', code = 'WALLET_PND' where id = ${SOME}`,
    names: /^transactions changed: still/,
  },
  {
    what: 'the reference of a transaction',
    statement: `update ledger.transaction set reference = reference || '-' where id = ${SOME}`,
    names: /^transactions changed: still/,
  },
  {
    what: 'an audit entry, deleted',
    statement: `delete from audit.entry where target = 'PW-2'`,
    names: /^audit changed: \d+ rows were sealed, \d+ are there$/,
  },
  {
    what: 'the reason of an audit entry',
    statement: `update audit.entry set reason = 'court order' where target = 'PW-2'`,
    names: /^audit changed: still/,
  },
  {
    what: 'the body of an event',
    statement: `update outbox.event set body = replace(body, 'Credit', 'Debit') where id = (select id from outbox.event
      where body like '%Credit%' limit 1)`,
    names: /^events changed: still/,
  },
  {
    what: 'a body that was purged without its digest',
    statement: `update outbox.event set body = null where id = (select id from outbox.event limit 1)`,
    names: /^events changed: still/,
  },
  {
    what: 'an event, deleted',
    statement: `delete from outbox.event where id = (select id from outbox.event limit 1)`,
    names: /^events changed: \d+ rows were sealed/,
  },
  {
    what: 'a transaction, inserted into a sealed hour',
    statement: `insert into ledger.transaction (owner_id, namer, reference, type, status, request_hash, mac, amount, currency,
        created_at)
      select owner_id, namer, '${randomUUID()}', type, status, request_hash, mac, amount, currency, created_at from ledger.transaction
        where id = ${SOME}`,
    names: /^transactions changed: \d+ rows were sealed/,
  },
  {
    what: 'an audit entry dated before everything',
    statement: `insert into audit.entry (at, actor, action, target) values ('2020-01-01', 'operator', 'x', 'y')`,
    names: /^audit changed: 0 rows were sealed, 1 are there$/,
  },
];

describe('held against a copy that was kept elsewhere', () => {
  it('books that nobody changed are as they were sealed, over a rotation of the keys and a restart', async () => {
    const verdict = await verify(books.url, books.copy);
    expect(verdict).toEqual({ ok: true, copied: books.copy.length, found: books.copy.length, findings: [] });
    const kinds = books.copy.map((seal) => decodeJwt<{ period: string }>(seal).period);
    expect(kinds.filter((kind) => kind === 'HOUR').length).toBeGreaterThan(28);
    expect(kinds).toContain('DAY');
  });

  it.each(plants)('$what: the hour is named, with what changed in it', async ({ statement, names }) => {
    const { ok, findings } = await after(statement);
    expect(ok).toBe(false);
    expect(findings).toEqual([
      expect.objectContaining({ what: expect.stringMatching(names), period: expect.stringMatching(HOUR) }),
    ]);
  });

  it('a transaction that was erased is missing in all three: its row, its entries, its events', async () => {
    const { findings } = await after(
      `create temporary table gone as select e.transaction_id as id, v.id as event_id from ledger.entry e
         join ledger.account a on a.id = e.account_id join outbox.event v on v.reference = a.reference and v.sequence = e.version
         where e.transaction_id = ${SOME}`,
      `delete from outbox.event where id in (select event_id from gone)`,
      `delete from ledger.entry where transaction_id in (select id from gone)`,
      `delete from ledger.transaction where id in (select id from gone)`,
    );
    for (const what of [/^transactions changed/, /^entries changed/, /^events changed/]) {
      expect(findings).toContainEqual(says(what));
    }
  });

  it('the newest seals, deleted, are missing', async () => {
    const { findings } = await after(`delete from seals.seal where number > ${books.copy.length - 2}`);
    const lost = says(/^is in the copy, and not in the database$/); // the seal of a day tells of a lost hour of it too
    expect(findings.filter(({ what }) => !what.startsWith('the hours of this day'))).toEqual([lost, lost]);
  });

  it('a seal that was changed is told, in its signed text or beside it', async () => {
    const text = await after(
      `update seals.seal set jws = (select jws from seals.seal where number = 4) where number = 5`,
    );
    expect(text.findings).toContainEqual({
      seal: 5,
      period: expect.stringMatching(HOUR),
      what: 'is not the seal of the copy',
    });
    const beside = await after(`update seals.seal set ends_at = ends_at + interval '1 second' where number = 5`);
    expect(beside.findings).toContainEqual({
      seal: 5,
      period: expect.any(String),
      what: 'its row says other than its signed text',
    });
  });

  it('a copy that was tampered with is told', async () => {
    const [one = '', ...rest] = books.copy;
    const { findings } = await verify(books.url, [`${one.slice(0, -4)}AAAA`, ...rest]);
    expect(findings).toEqual([says('seal 1 of the copy was not signed by this installation')]);
  });

  it('history rewritten with a whole new chain, signed by our own keys, is told all the same', async () => {
    const url = await copyDatabase(books.url);
    await change(url, `update ledger.transaction set comment = 'rent' where id = ${SOME}`, 'delete from seals.seal');
    await withSealer(url, (sealer) => sealDue(sealer));
    expect((await verify(url, [])).ok).toBe(true);
    const { findings } = await verify(url, books.copy);
    expect(findings.filter(({ what }) => what === 'is not the seal of the copy')).toHaveLength(books.copy.length);
    expect(findings.filter(({ what }) => what.includes('transactions changed'))).toHaveLength(1);
  });

  it('even one day’s seal is enough to tell that an hour of that day was sealed anew', async () => {
    const days = books.copy.filter((seal) => decodeJwt<{ period: string }>(seal).period === 'DAY');
    const url = await copyDatabase(books.url);
    expect((await verify(url, days)).ok).toBe(true);
    await change(url, 'delete from seals.seal');
    await withSealer(url, (sealer) => sealDue(sealer));
    expect((await verify(url, days)).findings).toContainEqual(
      says('the hours of this day are not those that were sealed'),
    );
  });
});

describe('without a copy', () => {
  it('a key that was put into the database by somebody without MASTER_KEY signs nothing that passes for ours', async () => {
    const url = await copyDatabase(books.url);
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const stranger = createKeyring(Buffer.alloc(32, 9));
    const jwk = { ...(await exportJWK(publicKey)), kid: 'theirs' };
    const sealed = stranger
      .seal(
        sealedColumn('signing_keys.signing_key.private_jwk_sealed'),
        ['theirs'],
        JSON.stringify(await exportJWK(privateKey)),
      )
      .toString('hex');
    await change(
      url,
      `update signing_keys.signing_key set status = 'RETIRED', retired_at = now() where status = 'CURRENT'`,
      `insert into signing_keys.signing_key (kid, public_jwk, private_jwk_sealed, status)
       values ('theirs', '${JSON.stringify(jwk)}', decode('${sealed}', 'hex'), 'CURRENT')`,
      'delete from seals.seal',
    );
    await withSealer(url, (sealer) => sealDue({ ...sealer, keyring: stranger }, 3));
    const { findings } = await verify(url, []);
    expect(findings).toHaveLength(3);
    for (const finding of findings) expect(finding.what).toBe('was not signed by this installation');
  });

  it('a seal taken out of the middle is a gap', async () => {
    const url = await copyDatabase(books.url);
    await change(url, 'delete from seals.seal where number = 7');
    expect((await verify(url, [])).findings).toContainEqual(says('the chain has a gap: seal 7 should be here'));
  });
});

it('what was purged after its retention still verifies, and its digest cannot be exchanged', async () => {
  const url = await copyDatabase(books.url);
  const then = `now() - interval '1 day'`;
  await change(url, `update webhooks.delivery set status = 'DELIVERED', delivered_at = ${then}, updated_at = ${then}`);
  await withSealer(url, async (sealer) => {
    const before = new Date(sealer.clock.now().getTime() - 3_600_000);
    expect(await purgeDeliveries(sealer, { status: 'DELIVERED', before, limit: 10 })).toMatchObject({ purged: 10 });
    await sealer.pool.query("select webhooks.forget_deliveries('infinity', 10)");
  });
  expect((await verify(url, books.copy)).findings).toEqual([]);
  await change(
    url,
    `update outbox.event set body_digest = sha256('other') where id = (select id from outbox.event where body is null limit 1)`,
  );
  expect((await verify(url, books.copy)).findings).toEqual([says(/^events changed: still/)]);
});

describe('a key that was revoked because somebody else has it', () => {
  const revokeCurrent = (url: string) =>
    withSealer(url, async (sealer) => {
      const kid = (await listSigningKeys(sealer)).find(({ status }) => status === 'CURRENT')?.kid ?? '';
      return revokeSigningKey(sealer, { kid, actor: 'operator', reason: 'a laptop was stolen' });
    });
  const NOT_VOUCHED = 'its key was revoked, and neither the copy nor a later seal by another key vouches for it';
  it('leaves its seals good where the copy has them, or a later seal of another key follows from them', async () => {
    const url = await copyDatabase(books.url);
    await revokeCurrent(url);
    expect((await verify(url, books.copy)).findings).toEqual([]);
    expect((await verify(url, [])).findings).toContainEqual(says(NOT_VOUCHED));
    await change(url, 'delete from seals.seal where number = (select max(number) from seals.seal)');
    await withSealer(url, (sealer) => sealDue(sealer));
    expect((await verify(url, [])).findings).toEqual([]);
  });

  it('makes no seal after that', async () => {
    const url = await copyDatabase(books.url);
    await revokeCurrent(url);
    await change(
      url,
      `update signing_keys.signing_key set revoked_at = now() - interval '1 day' where status = 'REVOKED'`,
    );
    const { findings } = await verify(url, books.copy);
    expect(findings).toContainEqual(says('was signed by a key after that had been revoked'));
  });
});
