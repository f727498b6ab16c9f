import { expect, it } from 'vitest';
import { useLedger } from '../../support/ledger.ts';
import { makeMonthsAhead } from '../../support/past-months.ts';
import { postingBetween, postingJson } from '../../support/post.ts';

const IN_PARTS = ['ledger.entry', 'outbox.event', 'webhooks.delivery'];
const ledger = useLedger();

/** The parts that so many postings of a partner lock, whose receiver was made so. Each is planned before; nothing of it stays. */
async function partsLocked(postings: number, receiver: string): Promise<string[]> {
  const { partner, float, wallet } = await ledger.newBook(1_000_000n);
  await ledger.pool.query(
    `insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, routing_mac, url, events) select $1, 'PARTNER', '', '', '', ${receiver}`,
    [partner],
  );
  const client = await ledger.pool.connect();
  const call = Array.from({ length: postings }, (_, at) =>
    postingJson(postingBetween(float, wallet, 5n, { owner: partner, partner, reference: `p-${at}` })),
  );
  let locked: string[] = [];
  for (let time = 0; time < 7; time++) {
    await client.query('begin');
    await client.query('select * from ledger.post($1)', [`[${call.join()}]`]);
    const { rows } = await client.query<{ part: string }>(
      `select distinct i.inhrelid::regclass::text as part from pg_locks l join pg_inherits i on i.inhrelid = l.relation
        where l.pid = pg_backend_pid() and i.inhparent = any($1::text[]::regclass[]) order by 1`,
      [IN_PARTS],
    );
    await client.query('rollback');
    locked = rows.map(({ part }) => part);
  }
  client.release();
  return locked;
}

it.each([
  ['that has a URL', `'https://shop.example/hook', null`],
  ['that has none yet', `null, null`],
  ['that wants other events', `'https://shop.example/hook', '{transaction.status}'`],
])(
  'a posting goes to one part of each table, however many months there are, told to a receiver %s',
  async (_, made) => {
    await makeMonthsAhead(ledger.pool);
    const current = IN_PARTS.map((table) => expect.stringMatching(new RegExp(`^${table}_(before|\\d{4}_\\d\\d)$`)));
    const wanted = made.includes('{') ? current.slice(0, 2) : current;
    for (const postings of [1, 4]) expect([postings, await partsLocked(postings, made)]).toEqual([postings, wanted]);
  },
);
