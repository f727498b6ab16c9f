import { sql } from '#drizzle';
import { createKeyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import { randomId } from '#lib/random.ts';
import { amountsOf, openFloatAccount, openWalletAccount, type Posting, systemAccount } from '#modules/ledger';
import { registerReceiver } from '#modules/outbox';
import { type PostingRow, toPostingResult } from '../../src/modules/ledger/posting.ts';
import type { LedgerModel, ModelOutcome } from './ledger-model.ts';
import { post, postingBetween, postingJson } from './post.ts';

const keyring = createKeyring(Buffer.alloc(32, 7));

/** The accounts of the model, by their index in it: a float, three wallets, and our own. */
export const FLOAT = 0;
export const WALLETS = [1, 2, 3] as const;
const OURS = ['CLEARING', 'FEE', 'COMMISSION', 'STAMP_DUTY', 'SUSPENSE'] as const;
export const [CLEARING, FEE, COMMISSION, STAMP_DUTY, SUSPENSE] = [4, 5, 6, 7, 8] as const;

/**
 * How postings are sent: as many as there are in one call, each in a call of its own, or together with one that is
 * refused, which makes the ledger take them one by one.
 */
export type Way = 'together' | 'apart' | 'one by one';

/** The books of a model in the real ledger, whose rows have ids of their own. */
export interface Copy {
  readonly way: Way;
  readonly owner: string;
  readonly accounts: readonly number[];
  readonly transactions: number[];
  readonly holds: number[];
  readonly liens: number[];
}

export function openModel(model: LedgerModel, funding: bigint): void {
  model.open(false, funding);
  for (const _wallet of WALLETS) model.open(false);
  for (const ours of OURS) model.open(true, ours === 'CLEARING' ? -funding : 0n);
}

export async function openCopy(db: Database, way: Way, funding: bigint): Promise<Copy> {
  const owner = crypto.randomUUID();
  const accounts = await db.transaction(async (tx) => {
    const keys = { url: null, clientId: `pc_${owner}`, secret: 'whsec_c2VjcmV0' };
    await registerReceiver(tx, keyring, { ownerId: owner, ownerKind: 'PARTNER', now: new Date(), ...keys });
    const opened = [await openFloatAccount(tx, keyring, owner, 'NGN')];
    for (const _wallet of WALLETS) {
      const wallet = { partnerId: owner, reference: `PW-${randomId()}`, currency: 'NGN' } as const;
      opened.push(await openWalletAccount(tx, keyring, wallet));
    }
    return [...opened, ...OURS.map((kind) => systemAccount(kind, 'NGN'))];
  });
  const opening = { owner, partner: owner, reference: 'opening', type: 'FLOAT_FUNDING' } as const;
  await post(db, postingBetween(systemAccount('CLEARING', 'NGN'), accounts[FLOAT] ?? 0, funding, opening));
  return { way, owner, accounts, transactions: [], holds: [], liens: [] };
}

/** What a model's index stands for in a copy. */
export function idOf(ids: readonly number[], index: number): number {
  const id = ids[index];
  if (id === undefined) throw new Error(`nothing in this copy stands for ${index}`);
  return id;
}

/** A posting of the model, as this copy names everything in it. */
function inCopy(copy: Copy, posting: Posting): Posting {
  const account = (index: number) => idOf(copy.accounts, index);
  const { original, hold, suspenseAccount, limitAccount } = posting;
  return {
    ...posting,
    owner: copy.owner,
    partner: copy.owner,
    source: account(posting.source),
    destination: account(posting.destination),
    legs: posting.legs.map((leg) => ({ ...leg, account: account(leg.account) })),
    ...(original === undefined ? {} : { original: idOf(copy.transactions, original) }),
    ...(hold === undefined ? {} : { hold: idOf(copy.holds, hold) }),
    ...(suspenseAccount === undefined ? {} : { suspenseAccount: account(suspenseAccount) }),
    ...(limitAccount === undefined ? {} : { limitAccount: account(limitAccount) }),
  };
}

/** Sends postings the copy's way, and answers in the model's terms. `known` counts the model's transactions before. */
export async function send(db: Executor, copy: Copy, batch: readonly Posting[], now: Date): Promise<ModelOutcome[]> {
  const call = async (postings: readonly Posting[]) => {
    const wire = `[${postings.map(postingJson).join()}]`;
    const at = sql`${now.toISOString()}::timestamptz`;
    return (await db.execute<PostingRow>(sql`select * from ledger.post(${wire}::jsonb, ${at})`)).rows;
  };
  const postings = batch.map((one) => inCopy(copy, one));
  const rows: PostingRow[] = [];
  if (copy.way === 'apart') for (const one of postings) rows.push(...(await call([one])));
  else if (copy.way === 'together') rows.push(...(await call(postings)));
  else rows.push(...(await call([...postings, refusedWith(copy)])).slice(0, -1));
  return rows.map((row) => {
    const outcome = toPostingResult(row);
    if (!copy.transactions.includes(outcome.id)) copy.transactions.push(outcome.id);
    const entries = 'refusal' in outcome ? [] : outcome.entries;
    return {
      outcome: row.outcome,
      replayed: row.replayed,
      entries: entries.map((entry) => ({ ...entry, account: copy.accounts.indexOf(entry.account) })),
    };
  });
}

const refusedWith = ({ owner, accounts: [float = 0, wallet = 0] }: Copy): Posting =>
  postingBetween(float, wallet, 1n, {
    owner,
    reference: `refused-${randomId()}`,
    predecidedRefusal: 'SPLIT_OVERPAYMENT',
  });

/** The float and the wallets as they stand, and what this copy has moved over our own accounts. */
export async function copyState(db: Executor, copy: Copy, now: Date): Promise<unknown[]> {
  const { rows } = await db.execute<Record<'posted' | 'suspended' | 'liens' | 'spent' | 'moved', string>>(sql`
    select a.posted, a.suspended, a.liens, coalesce(m.amount, 0) as moved,
      coalesce(ledger.spent_on(s, ledger.business_day(${now.toISOString()}::timestamptz)), 0) as spent
    from unnest(${`{${copy.accounts.join()}}`}::bigint[]) with ordinality c(id, place)
      join ledger.account a on a.id = c.id
      left join ledger.spending s on s.holder_id = a.holder_id
      left join (select e.account_id, sum(e.amount) as amount
                   from ledger.transaction t join ledger.entry e on e.transaction_id = t.id
                   where t.owner_id = ${copy.owner}::uuid group by 1) m on m.account_id = a.id
    order by c.place`);
  return rows.map(({ posted, suspended, liens, spent, moved }, index) => {
    if (index >= CLEARING) return BigInt(moved);
    const amounts = amountsOf({ posted: BigInt(posted), suspended: BigInt(suspended), liens: BigInt(liens) });
    return { ...amounts, spent: BigInt(spent) };
  });
}

/** The same of the model. */
export const modelState = (model: LedgerModel): unknown[] =>
  model.accounts.map(({ system, posted, suspended }, id) => {
    if (system) return posted;
    const available = model.available(id);
    return {
      total: posted,
      suspended,
      blocked: posted - suspended - available,
      available,
      spent: model.spentToday(id),
    };
  });
