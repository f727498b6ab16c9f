import type { Client, Pool } from 'pg';

/** Makes the months ahead that an installation has, as the owner: databases of tests have the next one alone. */
export async function makeMonthsAhead(owner: Client | Pool): Promise<void> {
  await owner.query('select ledger.make_months(), outbox.make_months(), webhooks.make_months()');
}
