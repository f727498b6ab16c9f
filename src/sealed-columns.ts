import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { sealedColumns as applications } from '#modules/applications';
import { sealedColumns as approvals } from '#modules/approvals';
import { sealedColumns as bankAccounts } from '#modules/bank-accounts';
import { sealedColumns as claims } from '#modules/claims';
import { sealedColumns as customers } from '#modules/customers';
import { sealedColumns as disputes } from '#modules/disputes';
import { sealedColumns as idempotency } from '#modules/idempotency';
import { sealedColumns as inboundAccounts } from '#modules/inbound-accounts';
import { sealedColumns as inbox } from '#modules/inbox';
import { sealedColumns as letters } from '#modules/letters';
import { sealedColumns as notices } from '#modules/notices';
import { sealedColumns as onboarding } from '#modules/onboarding';
import { sealedColumns as outbox } from '#modules/outbox';
import { sealedColumns as partners } from '#modules/partners';
import { sealedColumns as payouts } from '#modules/payouts';
import { sealedColumns as reconciliation } from '#modules/reconciliation';
import { sealedColumns as signingKeys } from '#modules/signing-keys';
import { sealedColumns as terminals } from '#modules/terminals';

/** Every column of every room whose values are sealed: what a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  ...applications,
  ...approvals,
  ...bankAccounts,
  ...claims,
  ...customers,
  ...disputes,
  ...idempotency,
  ...inbox,
  ...inboundAccounts,
  ...letters,
  ...notices,
  ...onboarding,
  ...outbox,
  ...partners,
  ...payouts,
  ...reconciliation,
  ...signingKeys,
  ...terminals,
];
