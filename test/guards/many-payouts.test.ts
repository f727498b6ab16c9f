import { expect, it } from 'vitest';
import { sendPayouts } from '#modules/payouts';
import { startApp, useApp } from '../support/app.ts';
import { ACCOUNT, scriptedProvider } from '../support/payouts.ts';
import { endOfLog, explainAll, explainedSince, nodesOf } from '../support/plans.ts';
import { sealedColumn } from '../support/sealed.ts';
import { fundedWallet } from '../support/wallets.ts';

const server = useApp();
const ENDED = 60_000;
const DUE = 40_000;
/** What one run of a worker asks about, and claims at once. */
const RUN = 400;
const AT_ONCE = 16;

/** Copies of a payout: most have ended, and all others are due. */
async function fill(): Promise<void> {
  const { partner, wallet } = await fundedWallet(server, 500);
  const payload = { amount: 100, reference: 'the-first', ...ACCOUNT };
  await server.call('POST', `/v2/partner/wallet/${wallet}/payout`, { headers: partner.headers, payload });
  await server.owner.query(`
    set session_replication_role = replica;
    insert into payouts.payout (transaction_id, partner_id, wallet, provider, state, amount, bank_code, bank_name,
        account_number_sealed, account_name_sealed, account_index, provider_reference, attempts, due_at, sent_at, ended_at,
        created_at, updated_at)
      select 1000000 + n, p.partner_id, p.wallet, p.provider, case when n > ${DUE} then 'SUCCESSFUL' else 'UNKNOWN' end, p.amount,
        p.bank_code, p.bank_name, p.account_number_sealed, p.account_name_sealed, p.account_index, 'payout-' || n, 1,
        case when n > ${DUE} then null else p.created_at end, p.created_at, case when n > ${DUE} then p.created_at end,
        p.created_at, p.updated_at
      from payouts.payout p, generate_series(1, ${DUE + ENDED}) n;
    set session_replication_role = default;
    delete from payouts.payout where state = 'PENDING';`);
  const { keyring } = server.resources;
  const { rows } = await server.owner.query(
    'select amount, bank_code, account_index from payouts.payout where provider_reference = $1',
    ['payout-1'],
  );
  const ordered = [rows[0].amount, rows[0].bank_code, rows[0].account_index];
  const references = Array.from({ length: DUE }, (_, at) => `payout-${at + 1}`);
  const sealed = (column: string, text: string) =>
    references.map((reference) =>
      keyring.seal(sealedColumn(`payouts.payout.${column}`), [reference, wallet, partner.id, ...ordered], text),
    );
  await server.owner.query(
    `update payouts.payout p set account_number_sealed = s.number, account_name_sealed = s.name
       from unnest($1::text[], $2::bytea[], $3::bytea[]) s (reference, number, name) where p.provider_reference = s.reference`,
    [references, sealed('account_number_sealed', ACCOUNT.accountNumber), sealed('account_name_sealed', 'ADA OBI')],
  );
  await server.owner.query('analyze payouts.payout');
}

it('a worker reads what it claims and no more, however many payouts there are and are due', async () => {
  await fill();
  await explainAll(server.owner);
  const worker = await startApp(server.resources.databaseUrl, {}, server.clock);
  const script = scriptedProvider({ verifies: Array.from({ length: 2 * RUN }, () => 'UNKNOWN' as const) });
  server.clock.advance(60_000);
  const from = await endOfLog(server.owner);
  await sendPayouts({ ...worker.resources, payoutProvider: script.provider });
  const explained = await explainedSince(server.owner, from);
  await worker.close();

  expect(script.asked).toBe(RUN);
  const reads = explained.flatMap(({ Plan }) =>
    nodesOf(Plan).filter((node) => node.Schema === 'payouts' && node['Relation Name'] === 'payout'),
  );
  expect(reads.length).toBeGreaterThan(RUN);
  expect(new Set(reads.map((node) => node['Node Type']))).not.toContain('Seq Scan');
  const most = reads.map((node) => node['Actual Rows'] * node['Actual Loops']);
  expect(Math.max(...most)).toBeLessThanOrEqual(AT_ONCE);
  // Of each payout what is locked and what is written; of each sixteen what is claimed and read.
  expect(explained.length).toBeLessThanOrEqual(2 * RUN + 2 * (RUN / AT_ONCE) + 2);
});
