import pg from 'pg';
import { expect, it } from 'vitest';
import { migrateDatabase } from '../../src/migrate.ts';
import { databaseOf010 } from '../support/released-database.ts';

it('a profile of 0.1.0 keeps the ID it was shown with, as its partner’s number, and we number on from the last', async () => {
  const url = await databaseOf010();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: partners } = await client.query<{ id: string }>(
      `insert into partners.partner (name, client_id, redirect_url)
         values ('One', 'one', 'https://one.example'), ('Two', 'two', 'https://two.example') returning id`,
    );
    const [one, two] = partners.map(({ id }) => id);
    const { rows: made } = await client.query<{ id: string }>(
      `insert into wallets.kyc_profile (partner_id, first_name, last_name)
         select unnest(array[$1, $2, $1]::uuid[]), 'Chidi', 'Okafor' returning id`,
      [one, two],
    );
    await migrateDatabase(url);
    const { rows } = await client.query('select id, partner_id, number from wallets.kyc_profile order by id');
    expect(rows).toEqual(
      [one, two, one].map((partner_id, index) => ({ id: made[index]?.id, partner_id, number: made[index]?.id })),
    );
    const { rows: next } = await client.query(
      'select wallets.next_kyc_number($1) as one, wallets.next_kyc_number($2) as two',
      [one, two],
    );
    expect(next).toEqual([{ one: '4', two: '3' }]);
  } finally {
    await client.end();
  }
});
