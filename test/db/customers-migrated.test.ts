import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/applications';
import { migrateDatabase } from '../../src/migrate.ts';
import { databaseOf010 } from '../support/released-database.ts';

it('of a customer of 0.1.0 nothing is proven, the other name neither, and whoever made them or saw them log in knows them, nobody else', async () => {
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
      `with s as (insert into applications.subject (application_id, external_id, display_name)
                    values ($2, $1, 'Ada Dangote Group Obi') returning id),
            t as (insert into tags.tag (handle, subject_id, created_by_app_id) select 'ada', id, $2 from s returning id)
       insert into customers.customer
           (id, tag_id, bvn_sealed, bvn_index, first_name, other_name, last_name, phone_sealed, email_sealed, password_hash)
         select $1::uuid, id, 'bvn', 'bvn', 'Ada', 'Dangote Group', 'Obi', 'phone', 'email', 'hash' from t`,
      [customer, payTagApplicationId],
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
      `select c.phone_proven_at, c.email_proven_at, c.other_name,
              (select display_name from applications.subject where external_id = c.id::text) as shown,
              (select array_agg(w.known_since is not null order by w.id) from wallets.partner_wallet w) as known,
              (select bool_and(s.expires_at <= now()) from onboarding.creation_session s) as ended
         from customers.customer c`,
    );
    const kept = { other_name: 'Dangote Group', shown: 'Ada Obi' };
    const unproven = { phone_proven_at: null, email_proven_at: null };
    expect(rows).toEqual([{ ...unproven, ...kept, known: [true, true, false], ended: true }]);
  } finally {
    await client.end();
  }
});

it('money sent to the PayTag of a customer of 0.1.0 goes on arriving where it did, wherever they logged in first', async () => {
  const url = await databaseOf010();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const customer = randomUUID();
    await client.query(
      `insert into partners.partner (name, client_id, redirect_url) values ('First', 'first', 'https://p.example'), ('Later', 'later', 'https://p.example');
       with s as (insert into applications.subject (application_id, external_id, display_name)
                    values ('${payTagApplicationId}', '${customer}', 'Ada Obi') returning id),
            t as (insert into tags.tag (handle, subject_id, created_by_app_id)
                    select 'ada', id, '${payTagApplicationId}' from s returning id)
       insert into customers.customer (id, tag_id, bvn_sealed, bvn_index, first_name, last_name)
         select '${customer}', id, 'bvn', 'bvn', 'Ada', 'Obi' from t;
       with a as (insert into ledger.account (kind, reference, currency)
                    select 'WALLET', 'PW-' || n, 'NGN' from generate_series(1, 2) n returning id, reference)
       insert into wallets.partner_wallet (reference, partner_id, customer_id, account_id, nuban, is_primary, tier, created_at)
         select a.reference, p.id, '${customer}', a.id, a.reference, p.name = 'First', 2,
             now() - case p.name when 'First' then interval '1 day' else interval '1 hour' end
           from a join partners.partner p on a.reference = case p.name when 'First' then 'PW-1' else 'PW-2' end;
       insert into sessions.prior_login (partner_id, customer_id, since)
         select id, '${customer}', now() - interval '1 year' from partners.partner where name = 'Later'`,
    );
    await migrateDatabase(url);
    const { rows } = await client.query(
      `select reference from wallets.partner_wallet order by is_primary desc, proven_at nulls last`,
    );
    const { rows: byProof } = await client.query(
      `select reference from wallets.partner_wallet order by proven_at nulls last, id`,
    );
    expect(rows[0]).toEqual({ reference: 'PW-1' });
    expect(byProof).toEqual(rows);
  } finally {
    await client.end();
  }
});
