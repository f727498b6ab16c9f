import { desc, eq, or, sql } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Given, prepared } from '#lib/postgres/prepared.ts';
import {
  type EraseOf,
  EXPORTED_MAX,
  type ExportOf,
  type Invariant,
  type InvariantDeps,
  newestOf,
  type OfCustomer,
  type Retention,
  type Room,
  type SqlInvariant,
} from '#lib/room.ts';
import { partner } from '#modules/clients';
import { findHandles } from '#modules/customers';
import { account, amountsOf, historyOf, liensOf } from '#modules/ledger';
import { checkDigit } from './open-wallet.ts';
import { beneficiary, partnerWallet } from './tables.ts';
import { routingFacts } from './wallet-route.ts';
import { toTransaction } from './wallet-transaction.ts';

/** A refund gives nothing back of what was spent. */
const IS_REVERSED = `exists (select from ledger.transaction r where r.original_id = t.id and r.type = 'REVERSAL' and r.status <> 'Failed')`;

/** Wallets are few against their movements, so a look at what is new reads all of them where that is one pass. */
const walletsAlone = (institutionCode: string): readonly Invariant[] => [
  {
    name: 'wallets_are_their_accounts',
    promise:
      'a wallet and its account name each other, belong to one partner and one customer and are closed together, and no wallet’s account is without its wallet',
    offenders: () => `
      select w.id as wallet_id, w.reference, a.id as account_id, a.reference as account from wallets.partner_wallet w
        full join (select * from ledger.account where kind = 'WALLET') a on a.id = w.account_id
        where (w.reference, w.partner_id, w.revoked_at is null) is distinct from (a.reference, a.partner_id, a.closed_at is null)
          or a.holder_id <> w.customer_id`,
  },
  {
    name: 'spending_is_what_was_spent',
    promise:
      'what a customer has spent on a day is the sum of the transfers out of their wallets and of their payouts that are held or were paid, fees included, but for what a reversal gave back',
    offenders: ({ since }) => {
      const firstDay = since && `ledger.business_day('${since.toISOString()}')`;
      const isSince = firstDay ? `and t.created_at >= ${firstDay}::timestamp at time zone 'Africa/Lagos'` : '';
      return `
        with counted as (
          select holder_id, day, sum(amount) as amount from (
            select a.holder_id, e.business_date as day, -e.amount as amount from ledger.transaction t
              join ledger.entry e on e.transaction_id = t.id and e.account_id = t.source_id
              join ledger.account a on a.id = e.account_id
              where t.type = 'TRANSFER' and not ${IS_REVERSED} ${isSince}
            union all
            select a.holder_id, h.held_day, h.amount from ledger.transaction t join ledger.hold h on h.id = t.hold_id
              join ledger.account a on a.id = h.account_id
              where h.counted and t.status in ('Held', 'Successful', 'Reversed') and not ${IS_REVERSED} ${isSince}) one
            group by 1, 2)
        select s.holder_id, s.day, s.spent, c.amount as counted from ledger.spending s
          left join counted c on (c.holder_id, c.day) = (s.holder_id, s.day)
          where s.spent <> coalesce(c.amount, 0) ${firstDay ? `and s.day >= ${firstDay}` : ''}
        union all
        select c.holder_id, c.day, 0, c.amount from counted c
          where c.day >= ledger.business_day(now()) - 1
            and not exists (select from ledger.spending s where s.holder_id = c.holder_id and s.day >= c.day)`;
    },
  },
  {
    name: 'nubans_are_valid',
    promise: 'the account number of a wallet is ten digits, the last of which is the check digit of our institution',
    offenders: () => `
      select w.id as wallet_id, w.reference, w.nuban from wallets.partner_wallet w
        where case when w.nuban ~ '^[0-9]{10}$' then right(w.nuban, 1) <> ${checkDigitInSql('w.nuban', institutionCode)}
          else true end`,
  },
  {
    name: 'nubans_are_in_the_order_of_their_wallets',
    promise: 'a wallet has a greater serial number than every wallet that was opened five minutes or more before it',
    wholeOnly: 'the numbers of all wallets are compared',
    offenders: () => `
      select wallet_id, reference, nuban, opened_before from (
        select w.id as wallet_id, w.reference, w.nuban, max(left(w.nuban, 9)) over (
            order by w.created_at range between unbounded preceding and interval '5 minutes' preceding) as opened_before
          from wallets.partner_wallet w) x
        where left(nuban, 9) <= opened_before`,
  },
  {
    name: 'the_primary_wallet_is_the_first',
    promise:
      'money sent to a customer’s PayTag arrives where they first proved who they are, or else in the oldest of their wallets that is not revoked',
    offenders: () => `
      select x.customer_id, x.first, x.is_primary from (
        select w.customer_id, (array_agg(w.id order by w.proven_at nulls last, w.id))[1] as first,
            max(w.id) filter (where w.is_primary) as is_primary from wallets.partner_wallet w
          where w.customer_id is not null and w.revoked_at is null group by 1) x
        where x.first is distinct from x.is_primary`,
  },
];

/** The check digit of the Nuban in a column, by the weights of `checkDigit`: what a digit adds, it adds in its place alone. */
function checkDigitInSql(column: string, institutionCode: string): string {
  const zero = Number(checkDigit(institutionCode, '000000000'));
  const places = Array.from({ length: 9 }, (_, place) => {
    const serial = `${'0'.repeat(place)}1${'0'.repeat(8 - place)}`;
    const weight = (zero - Number(checkDigit(institutionCode, serial)) + 10) % 10;
    return `substr(${column}, ${place + 1}, 1)::int * ${weight}`;
  });
  return `((${zero} + 90 * 10 - (${places.join(' + ')})) % 10)::text`;
}

/** What must be true of wallets at any moment. */
const invariants = ({ nubanInstitutionCode }: InvariantDeps): readonly Invariant[] => [
  ...walletsAlone(nubanInstitutionCode),
  ...auditInvariants,
];

const walletsOf = prepared('wallets.export', (db, given: OfCustomer) =>
  db
    .select({ wallet: partnerWallet, account, partner: partner.name })
    .from(partnerWallet)
    .innerJoin(account, eq(account.id, partnerWallet.accountId))
    .innerJoin(partner, eq(partner.id, partnerWallet.partnerId))
    .where(eq(partnerWallet.customerId, given.customerId))
    .orderBy(partnerWallet.id),
);

type Found = Awaited<ReturnType<typeof walletsOf>>[number];

/** The wallets of a customer: the reference of each, by its account. */
export const accountsOfCustomer = async (db: Executor, customerId: string): Promise<ReadonlyMap<number, string>> =>
  new Map((await walletsOf(db, { customerId })).map(({ wallet }) => [wallet.accountId, wallet.reference]));

/** The customer's wallets at all partners, with what is in them. */
const exportWalletsOf: ExportOf = async ({ db }, customerId) => {
  const exported = [];
  for (const found of await walletsOf(db, { customerId })) exported.push(await exportedWallet(db, found));
  return exported;
};

/** What moved in the customer's wallets, as each partner is shown it. */
const exportTransactionsOf: ExportOf = async ({ db }, customerId) => {
  const wallets = await walletsOf(db, { customerId });
  const moved = [];
  for (const { wallet, account: of } of wallets) {
    const movements = await historyOf(db, of, { limit: EXPORTED_MAX, offset: 0 });
    moved.push(...movements.map((movement) => ({ ...toTransaction(movement), wallet: wallet.reference })));
  }
  const newest = moved.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).slice(0, EXPORTED_MAX);
  const exported = newest.map((one) => ({
    ...one,
    amount: toMajor(one.amount),
    fee: toMajor(one.fee),
    commission: toMajor(one.commission),
    net: toMajor(one.net),
    openingBalance: majorOrNone(one.openingBalance),
    closingBalance: majorOrNone(one.closingBalance),
  }));
  return newestOf(
    exported,
    wallets.reduce((sum, { account: of }) => sum + of.version, 0),
  );
};

async function exportedWallet(db: Executor, { wallet, account: of, partner: name }: Found) {
  const { total, suspended, blocked, available } = amountsOf(of);
  const liens = await liensOf(db, of.id);
  return {
    reference: wallet.reference,
    nuban: wallet.nuban,
    partner: { id: wallet.partnerId, name, knowsCustomerSince: wallet.knownSince },
    currency: of.currency,
    total: toMajor(total),
    suspended: toMajor(suspended),
    blocked: toMajor(blocked),
    available: toMajor(available),
    status: of.status,
    tier: wallet.tier,
    isPrimary: wallet.isPrimary,
    metadata: wallet.metadata,
    liens: liens.map(({ amount, reason, createdAt }) => ({ amount: toMajor(amount), reason, createdAt })),
    createdAt: wallet.createdAt,
    revokedAt: wallet.revokedAt,
  };
}

const majorOrNone = (amount: bigint | undefined): number | undefined =>
  amount === undefined ? undefined : toMajor(amount);

/** What partners keep with the customer's wallets. */
const eraseWalletsOf: EraseOf = async ({ tx, now }, customerId) => {
  await walletsErase(tx, { customerId, now });
};

const walletsErase = prepared('wallets.erase', (db, given: Given<{ customerId: string; now: Date }>) =>
  db
    .update(partnerWallet)
    .set({ metadata: null, updatedAt: sql`${given.now}` })
    .where(eq(partnerWallet.customerId, given.customerId)),
);

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'wallets.kyc_numbering',
    kept: 'as long as its partner',
    why: 'numbers are given once',
  },
  {
    table: 'wallets.kyc_profile',
    kept: 'for ever',
    why: 'whose a wallet is that has no customer',
  },
  {
    table: 'wallets.partner_wallet',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'beneficiaries.beneficiary',
    kept: 'until the customer removes it, or is erased',
    why: 'whom they paid is offered to them again',
  },
];

/** Whom the customer has paid at each partner, by their PayTags. */
const exportBeneficiariesOf: ExportOf = async ({ db }, customerId) => {
  const found = await paid(db, { customerId });
  const handles = await findHandles(
    db,
    found.map(({ payeeId }) => payeeId),
  );
  return found.map(({ partner: at, payeeId, at: lastPaidAt }) => ({
    partner: at,
    paytag: handles.get(payeeId),
    lastPaidAt,
  }));
};

const paid = prepared('beneficiaries.export', (db, given: OfCustomer) =>
  db
    .select({
      partner: { id: partner.id, name: partner.name },
      payeeId: beneficiary.payeeId,
      at: beneficiary.lastPaidAt,
    })
    .from(beneficiary)
    .innerJoin(partner, eq(partner.id, beneficiary.partnerId))
    .where(eq(beneficiary.customerId, given.customerId))
    .orderBy(desc(beneficiary.lastPaidAt))
    .limit(EXPORTED_MAX),
);

/** Whom the customer has paid, and that others have paid the customer. */
const eraseBeneficiariesOf: EraseOf = async ({ tx }, customerId) => {
  await beneficiariesErase(tx, { customerId });
};

const beneficiariesErase = prepared('beneficiaries.erase', (db, given: OfCustomer) =>
  db
    .delete(beneficiary)
    .where(or(eq(beneficiary.customerId, given.customerId), eq(beneficiary.payeeId, given.customerId))),
);

export const room: Room = {
  retention,
  invariants,
  routingFacts,
  exports: { wallets: exportWalletsOf, transactions: exportTransactionsOf, beneficiaries: exportBeneficiariesOf },
  erase: async (...args) => {
    await eraseWalletsOf(...args);
    await eraseBeneficiariesOf(...args);
  },
};

const MOVED = `t.status in ('Pending', 'Successful', 'Reversed')`;

const MOVES_FLOAT = `t.type in ('FLOAT_FUNDING', 'FLOAT_SETTLEMENT')`;

/** The operator's changes of wallets and floats, compared with the audit log. */
const auditInvariants: readonly SqlInvariant[] = [
  {
    name: 'wallet_rules_are_audited',
    promise:
      'status, daily limit and tier of a wallet are those of its last audited change, or else those it was opened with',
    offenders: () => `
      with change as (
        select target, (array_agg(after ->> 'status' order by id desc))[1] as status,
            (array_agg(after order by id desc) filter (where action = 'wallet.change'))[1] as rules
          from audit.entry where action in ('wallet.change', 'wallet.revoke') group by target)
      select w.id as wallet_id, w.reference, a.status, c.status as audited_status, a.daily_limit,
          c.rules ->> 'dailyLimit' as audited_daily_limit, w.tier, c.rules ->> 'tier' as audited_tier
        from wallets.partner_wallet w join ledger.account a on a.id = w.account_id left join change c on c.target = w.reference
        where a.status <> coalesce(c.status, 'Enabled')
          or a.daily_limit::text is distinct from (c.rules ->> 'dailyLimit')
          or w.tier::text <> coalesce(c.rules ->> 'tier', case when w.customer_id is null then '1' else '2' end)`,
  },
  {
    name: 'primary_wallets_are_audited',
    promise:
      'money sent to a customer’s PayTag arrives in the wallet of the last audited change of that, or in their oldest where that one was revoked, or there was none',
    offenders: () => `
      with held as (
        select w.*, exists (select from audit.entry x where x.target = w.reference and x.action = 'wallet.revoke') as is_revoked
          from wallets.partner_wallet w where w.customer_id is not null),
      change as (
        select distinct on (target) target, after ->> 'wallet' as wallet from audit.entry where action = 'wallet.primary'
          order by target, id desc)
      select x.customer_id, x.audited, x.is_primary from (
        select h.customer_id, min(h.reference) filter (where h.is_primary) as is_primary,
            coalesce(min(h.reference) filter (where h.reference = c.wallet and not h.is_revoked),
              (array_agg(h.reference order by h.id) filter (where not h.is_revoked))[1]) as audited
          from held h left join change c on c.target = h.customer_id::text group by 1) x
        where x.is_primary is distinct from x.audited`,
  },
  {
    name: 'liens_are_audited',
    promise: 'the blocked amount of a wallet is the sum of its audited liens, less the audited liftings',
    offenders: () => `
      select w.id as wallet_id, w.reference, a.liens, x.amount as audited from wallets.partner_wallet w
        join ledger.account a on a.id = w.account_id
        left join (select target, sum(case when action = 'wallet.lien.place' then (after ->> 'amount')::bigint
                                           else -(before ->> 'amount')::bigint end) as amount
                     from audit.entry where action in ('wallet.lien.place', 'wallet.lien.lift') group by 1) x
          on x.target = w.reference
        where a.liens <> coalesce(x.amount, 0)`,
  },
  {
    name: 'float_movements_are_audited',
    promise:
      'every funding and settlement of a float has an audit entry, of the same amount, and every such entry has its movement',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.reference, t.amount, null::bigint as audit_id from ledger.transaction t
        where ${MOVES_FLOAT} and ${MOVED} and ${moment('t.created_at')}
          and not exists (
            select from audit.entry x where x.target = t.partner_id::text and x.action in ('float.fund', 'float.settle')
              and x.after ->> 'reference' = t.reference and x.after ->> 'currency' = t.currency
              and (x.after ->> 'balance')::bigint - (x.before ->> 'balance')::bigint
                = case t.type when 'FLOAT_FUNDING' then t.amount else -t.amount end)
      union all
      select null, x.after ->> 'reference', null, x.id from audit.entry x
        where x.action in ('float.fund', 'float.settle') and ${moment('x.at')}
          and not exists (select from ledger.transaction t where t.reference = x.after ->> 'reference' and ${MOVES_FLOAT}
                            and t.partner_id::text = x.target and ${MOVED})`,
  },
  {
    name: 'operator_refunds_are_audited',
    promise: 'every refund by the operator has an audit entry, of the same amount, and every such entry has its refund',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.reference, t.amount, null::bigint as audit_id from ledger.transaction t
          join ledger.transaction o on o.id = t.original_id
        where t.type = 'PARTNER_REFUND' and t.namer = 'OPERATOR' and ${MOVED}
          and ${moment('t.created_at')}
          and not exists (select from audit.entry x where x.target = o.reference and x.action = 'transaction.refund'
                            and x.after ->> 'reference' = t.reference and x.after ->> 'amount' = t.amount::text)
      union all
      select null, x.after ->> 'reference', null, x.id from audit.entry x
        where x.action = 'transaction.refund' and ${moment('x.at')}
          and not exists (select from ledger.transaction t join ledger.transaction o on o.id = t.original_id
                            where t.reference = x.after ->> 'reference' and t.type = 'PARTNER_REFUND' and o.reference = x.target
                              and t.amount::text = x.after ->> 'amount' and ${MOVED})`,
  },
  {
    name: 'refunds_name_their_original',
    promise: 'the external reference of a refund is its original’s reference',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.external_reference, o.reference as original from ledger.transaction t
        join ledger.transaction o on o.id = t.original_id
        where t.type = 'PARTNER_REFUND' and ${MOVED} and ${moment('t.created_at')}
          and t.external_reference is distinct from o.reference`,
  },
];
