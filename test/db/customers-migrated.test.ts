import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { migrateDatabase } from '../../src/migrate.ts';
import { databaseOf010 } from '../support/released-database.ts';

it('of a customer of 0.1.0 nothing is proven, and whoever made them or saw them log in knows them, nobody else', async () => {
  const url = await databaseOf010();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: partners } = await client.query<{ id: string }>(
      `insert into partners.partner (name, client_id, redirect_url)
         select name, lower(name), 'https://p.example' from unnest(array['Maker', 'Seen', 'Linked']) name returning id`,
    );
    const [maker, seen, linked] = partners.map(({ id }) => id);
    const customer = randomUUID();
    await client.query(
      `insert into customers.customer (id, bvn_sealed, bvn_index, first_name, last_name, phone_sealed, email_sealed, password_hash)
         values ($1, 'bvn', 'bvn', 'Ada', 'Obi', 'phone', 'email', 'hash')`,
      [customer],
    );
    for (const [index, partner] of [maker, seen, linked].entries()) {
      await client.query(
        `with a as (insert into ledger.account (kind, reference, currency) values ('WALLET', $3, 'NGN') returning id)
         insert into wallets.partner_wallet (reference, partner_id, customer_id, account_id, nuban, is_primary, tier)
           select $3, $1, $2, id, $3, $4, 2 from a`,
        [partner, customer, `PW-${index}`, index === 0],
      );
    }
    await client.query('insert into sessions.prior_login (partner_id, customer_id, since) values ($1, $2, now())', [
      seen,
      customer,
    ]);
    await client.query(
      `insert into onboarding.creation_session (digest, partner_id, kind, customer_id, first_name, last_name, created_at, expires_at)
         values ('reset', $1, 'PASSWORD_RESET', $2, 'Ada', 'Obi', now(), now() + interval '30 minutes')`,
      [linked, customer],
    );
    await migrateDatabase(url);
    const { rows } = await client.query(
      `select c.phone_proven_at, c.email_proven_at,
              (select array_agg(w.known_since is not null order by w.id) from wallets.partner_wallet w) as known,
              (select bool_and(s.expires_at <= now()) from onboarding.creation_session s) as ended
         from customers.customer c`,
    );
    expect(rows).toEqual([{ phone_proven_at: null, email_proven_at: null, known: [true, true, false], ended: true }]);
  } finally {
    await client.end();
  }
});
