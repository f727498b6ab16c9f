import type { Pool } from 'pg';
import { openDatabase } from '#lib/postgres/database.ts';
import { randomId } from '#lib/random.ts';
import { asMinor, type Poster, type Posting, systemAccount } from '#modules/ledger';
import { newPoster, postingBetween } from '../../support/post.ts';
import { compare, during, type Slice } from '../compare.ts';
import { wire } from '../load/load.ts';
import { UNIQUE } from '../load/unique.ts';
import type { Row } from '../table.ts';
import type { World } from '../world/world.ts';

export const CONNECTIONS = 64;
/** As many as the server has. */
const POOL = 8;
const KOBO = 1n;
const NAIRA = 0.01;
/** The least that the simulator carries. */
const PAYOUT_NAIRA = 1;

/** The ledger, gathered, from this process: postings one after another, by as many callers as there are connections. */
export function ledgerAlone(pool: Pool, next: (turn: number) => Posting): Slice {
  const poster: Poster = newPoster(pool);
  let turn = 0;
  return (ms) => during(ms, CONNECTIONS, () => poster.post(next(turn++)));
}

/** One of these, by turns. */
export const pick = <One>(all: readonly One[], turn: number): One => {
  const one = all[turn % all.length];
  if (one === undefined) throw new Error('there is nothing to take turns');
  return one;
};

/** A movement over HTTP, and the same legs in the ledger. */
interface Movement {
  readonly what: string;
  readonly requests: readonly string[];
  readonly posting: (turn: number) => Posting;
  readonly target: number;
}

function movementsOf({ partners, customers }: World): Movement[] {
  const spread = Array.from({ length: 200 }, (_, turn) => {
    const partner = pick(partners, turn);
    return { partner, wallet: pick(partner.wallets, Math.floor(turn / partners.length)) };
  });
  const move = (what: 'credit' | 'debit', of = spread) =>
    of.map(({ partner, wallet }) =>
      wire('POST', `/v2/partner/wallet/${wallet.reference}/${what}`, partner.headers, {
        amount: NAIRA,
        reference: UNIQUE,
      }),
    );
  const posting = (amount: bigint) => (turn: number) => {
    const { partner, wallet } = pick(spread, turn);
    const named = { owner: partner.id, partner: partner.id, reference: randomId() };
    return postingBetween(partner.float, wallet.account, amount, named);
  };
  const payouts = spread.map(({ partner, wallet }) =>
    wire('POST', `/v2/partner/wallet/${wallet.reference}/payout`, partner.headers, {
      amount: PAYOUT_NAIRA,
      reference: UNIQUE,
      accountNumber: '0123456789',
      bankCode: '058',
    }),
  );
  const leaving = (turn: number): Posting => {
    const { partner, wallet } = pick(spread, turn);
    const named = { owner: partner.id, partner: partner.id, reference: randomId(), type: 'PAYOUT' } as const;
    return postingBetween(wallet.account, systemAccount('CLEARING_PAYOUT', 'NGN'), KOBO, named);
  };
  const payee = (turn: number) => pick(customers, turn + 1);
  const transfers = customers.map(({ headers }, turn) =>
    wire('POST', '/v2/sso/transaction', headers, { paytag: payee(turn).paytag, amount: NAIRA, reference: UNIQUE }),
  );
  const transfer = (turn: number): Posting => {
    const { customerId: owner, account } = pick(customers, turn);
    const named = {
      owner,
      partner: partners[0].id,
      reference: randomId(),
      namer: 'CUSTOMER',
      type: 'TRANSFER',
    } as const;
    const limit = { limitAccount: account, defaultDailyLimit: asMinor(20_000_000n) };
    return postingBetween(account, payee(turn).account, KOBO, { ...named, ...limit });
  };
  return [
    { what: 'POST partner credit', requests: move('credit'), posting: posting(KOBO), target: 0.7 },
    { what: 'POST partner debit', requests: move('debit'), posting: posting(-KOBO), target: 0.5 },
    { what: 'POST payout order', requests: payouts, posting: leaving, target: 0.5 },
    { what: 'POST SSO transfer', requests: transfers, posting: transfer, target: 0.5 },
  ];
}

const withKey = (request: string): string => request.replace('host:', `idempotency-key: ${UNIQUE}\r\nhost:`);

/** Movements over HTTP as a share of the ledger alone; with a key, and on one hot float, as a share of those without and those that are spread. */
export async function* money(world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> {
  const { load, server } = world;
  const ledger = openDatabase(world.databaseUrl, POOL, console.error);
  const over = (requests: readonly string[]): Slice => {
    return (ms) => load.run({ port: server.port, connections: CONNECTIONS, ms, requests });
  };
  try {
    for (const { what, requests, posting, target } of movementsOf(world)) {
      if (isWanted(what)) {
        const measured = await compare(seconds, over(requests), ledgerAlone(ledger.pool, posting));
        yield { what, ...measured, rssMb: await world.residentMb(), target: { atLeast: target } };
      }
      const onOne = `${what}, one hot float`;
      const keyed = `${what} with an Idempotency-Key`;
      if (what.includes('credit') && isWanted(keyed)) {
        const measured = await compare(seconds, over(requests.map(withKey)), over(requests));
        yield { what: keyed, ...measured, rssMb: await world.residentMb() };
      }
      if (what.includes('partner') && isWanted(onOne)) {
        const mine = requests.filter((one) => one.includes(world.partners[0].clientId));
        const measured = await compare(seconds, over(mine), over(requests));
        yield { what: onOne, ...measured, rssMb: await world.residentMb(), target: { atLeast: 0.9 } };
      }
    }
  } finally {
    await ledger.close();
  }
}
