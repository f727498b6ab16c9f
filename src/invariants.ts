import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Invariant, IsSample } from '#lib/invariant.ts';
import { invariants as applications } from '#modules/applications';
import { invariants as audit } from '#modules/audit';
import { invariants as bankAccounts } from '#modules/bank-accounts';
import { invariants as books } from '#modules/books';
import { routingFactsAreAuthentic, sealedValuesOpen } from '#modules/data-keys';
import { invariants as dataRights } from '#modules/data-rights';
import { invariants as disputes } from '#modules/disputes';
import { invariants as inboundAccounts } from '#modules/inbound-accounts';
import { invariants as inbox } from '#modules/inbox';
import { invariants as ledger, POSTING_PURPOSE } from '#modules/ledger';
import { invariants as letters } from '#modules/letters';
import { invariants as operators } from '#modules/operators';
import { contactsAreAudited, invariants as partners } from '#modules/partners';
import { invariants as payments } from '#modules/payments';
import { invariants as payouts } from '#modules/payouts';
import { invariants as reconciliation } from '#modules/reconciliation';
import { invariants as recovery } from '#modules/recovery';
import { invariants as tagTransactions } from '#modules/tag-transactions';
import { invariants as terminals } from '#modules/terminals';
import { invariants as treasury } from '#modules/treasury';
import { invariants as wallets } from '#modules/wallets';
import { invariants as webhooks } from '#modules/webhooks';
import { routingFacts } from './routing-facts.ts';
import { sealedColumns } from './sealed-columns.ts';

/** Everything that the rooms promise of their stored rows: what a check checks. */
export function invariantsOf(
  config: { nubanInstitutionCode: string; environment: string },
  keyring: Keyring,
): readonly Invariant[] {
  const isSample: IsSample = (reference) => (config.environment === 'live' ? 'false' : `${reference} like 'sandbox-%'`);
  return [
    ...ledger((facts) => keyring.vouchFor(POSTING_PURPOSE, facts), isSample),
    ...wallets(config),
    ...treasury,
    ...books,
    ...terminals,
    ...payments(isSample),
    ...payouts(isSample),
    ...disputes(isSample),
    ...bankAccounts,
    ...inboundAccounts,
    ...inbox,
    ...reconciliation,
    ...tagTransactions(isSample),
    ...partners,
    contactsAreAudited(keyring),
    ...operators,
    ...applications,
    ...letters,
    ...recovery,
    ...dataRights,
    ...webhooks,
    ...audit,
    sealedValuesOpen(keyring, sealedColumns),
    routingFactsAreAuthentic(keyring, routingFacts),
  ];
}
