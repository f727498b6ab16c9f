import type { Pool } from 'pg';
import { randomId } from '#lib/random.ts';
import { asMinor, type Posting } from '#modules/ledger';
import { postingBetween } from '../../support/post.ts';

const FLOAT_BALANCE = 1_000_000_000_00n;

/** Accounts of one partner, and postings between them. */
export interface SeededAccounts {
  partner: string;
  floats: readonly number[];
  wallets: readonly number[];
  /** A posting between the next float and the next wallet; if `hot`, from the same float each time. */
  nextPosting(hot: boolean): Posting;
}

/** Opens `count` floats with money and `count` wallets, directly in the database. Their partner has a webhook receiver. */
export async function seedAccounts(pool: Pool, count: number): Promise<SeededAccounts> {
  const partner = crypto.randomUUID();
  await pool.query(
    `insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, routing_mac) values ($1, 'PARTNER', '', '', '')`,
    [partner],
  );
  const open = async (kind: 'FLOAT' | 'WALLET') => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into ledger.account (kind, partner_id, reference, currency, floor, emits)
       select $1, $2, $3 || i, 'NGN', 0, $1 = 'WALLET' from generate_series(1, $4::int) i returning id`,
      [kind, partner, `${kind}-${randomId()}-`, count],
    );
    return rows.map(({ id }) => Number(id));
  };
  const floats = await open('FLOAT');
  const wallets = await open('WALLET');
  await pool.query(
    `select ledger.post(jsonb_agg(jsonb_build_object('owner', $1::text, 'namer', 'OPERATOR', 'reference', 'opening-' || f, 'mac', '00', 'type', 'FLOAT_FUNDING',
       'requestHash', '00', 'amount', $2::bigint, 'currency', 'NGN', 'legs', jsonb_build_array(
         jsonb_build_object('account', 1, 'amount', -$2::bigint), jsonb_build_object('account', f, 'amount', $2::bigint)))))
     from unnest($3::bigint[]) f`,
    [partner, FLOAT_BALANCE, floats],
  );

  let turn = 0;
  return {
    partner,
    floats,
    wallets,
    nextPosting(hot) {
      turn += 1;
      const float = floats[hot ? 0 : turn % count] ?? 0;
      const wallet = wallets[(turn * 7) % count] ?? 0;
      return postingBetween(float, wallet, asMinor(100n), { owner: partner, partner, reference: `b-${randomId()}` });
    },
  };
}
