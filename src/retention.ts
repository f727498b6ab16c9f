import type { Retention, Store } from '#lib/retention.ts';
import { retention as applications } from '#modules/applications';
import { retention as approvals } from '#modules/approvals';
import { retention as audit } from '#modules/audit';
import { retention as bankAccounts } from '#modules/bank-accounts';
import { retention as beneficiaries } from '#modules/beneficiaries';
import { retention as books } from '#modules/books';
import { retention as claims } from '#modules/claims';
import { retention as customers } from '#modules/customers';
import { retention as dataKeys } from '#modules/data-keys';
import { retention as disputes } from '#modules/disputes';
import { retention as federations } from '#modules/federations';
import { retention as idempotency } from '#modules/idempotency';
import { retention as inboundAccounts } from '#modules/inbound-accounts';
import { retention as inbox } from '#modules/inbox';
import { retention as installation } from '#modules/installation';
import { retention as integrity } from '#modules/integrity';
import { retention as knownAddresses } from '#modules/known-addresses';
import { retention as ledger } from '#modules/ledger';
import { retention as letters } from '#modules/letters';
import { retention as notices } from '#modules/notices';
import { retention as onboarding } from '#modules/onboarding';
import { retention as operators } from '#modules/operators';
import { retention as outbox } from '#modules/outbox';
import { retention as ownerProofs } from '#modules/owner-proofs';
import { retention as partners } from '#modules/partners';
import { retention as payments } from '#modules/payments';
import { retention as payouts } from '#modules/payouts';
import { retention as rails } from '#modules/rails';
import { retention as reconciliation } from '#modules/reconciliation';
import { retention as sandbox } from '#modules/sandbox';
import { retention as seals } from '#modules/seals';
import { retention as sessions } from '#modules/sessions';
import { retention as signingKeys } from '#modules/signing-keys';
import { retention as statements } from '#modules/statements';
import { retention as tagTransactions } from '#modules/tag-transactions';
import { retention as tags } from '#modules/tags';
import { retention as terminals } from '#modules/terminals';
import { retention as throttles } from '#modules/throttles';
import { retention as wallets } from '#modules/wallets';
import { type WebhookRetentionDeps, retention as webhooks } from '#modules/webhooks';

/** What forgetting takes, in all rooms. */
export type RetentionDeps = Store & WebhookRetentionDeps;

/** How long each table is kept, as its room says: what the guide shows, and what the worker does. */
export const retention: readonly Retention<RetentionDeps>[] = [
  ...applications,
  ...approvals,
  ...audit,
  ...bankAccounts,
  ...beneficiaries,
  ...books,
  ...claims,
  ...customers,
  ...dataKeys,
  ...disputes,
  ...federations,
  ...idempotency,
  ...inboundAccounts,
  ...inbox,
  ...installation,
  ...integrity,
  ...knownAddresses,
  ...ledger,
  ...letters,
  ...notices,
  ...onboarding,
  ...operators,
  ...outbox,
  ...ownerProofs,
  ...partners,
  ...payments,
  ...payouts,
  ...rails,
  ...reconciliation,
  ...sandbox,
  ...seals,
  ...sessions,
  ...signingKeys,
  ...statements,
  ...tagTransactions,
  ...tags,
  ...terminals,
  ...throttles,
  ...wallets,
  ...webhooks,
  {
    table: 'bullmq.*',
    kept: 'until a wake-up is handled; of what the queue says of itself, the last 100',
    why: 'it only wakes a worker sooner; without REDIS_URL',
  },
  { table: 'drizzle.__drizzle_migrations', kept: 'for ever', why: 'which migrations have run' },
  { table: 'drizzle.functions', kept: 'for ever', why: 'which SQL functions were applied' },
];
