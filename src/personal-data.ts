import type { EraseOf } from '#lib/personal-data.ts';
import { eraseOf as eraseSubject } from '#modules/applications';
import { exportOf as bankAccounts, eraseOf as eraseBankAccounts } from '#modules/bank-accounts';
import { exportOf as beneficiaries, eraseOf as eraseBeneficiaries } from '#modules/beneficiaries';
import { exportOf as claims } from '#modules/claims';
import { exportOf as profile } from '#modules/customers';
import type { PersonExports } from '#modules/data-rights';
import { exportOf as disputes } from '#modules/disputes';
import { exportOf as links } from '#modules/federations';
import { exportOf as inboundAccounts } from '#modules/inbound-accounts';
import { eraseOf as eraseNotices, exportOf as notices } from '#modules/notices';
import { eraseOf as eraseOnboarding, exportOf as onboarding } from '#modules/onboarding';
import { exportOf as receivedFrom } from '#modules/payments';
import { exportOf as payouts } from '#modules/payouts';
import { eraseOf as eraseSessions, exportOf as logins } from '#modules/sessions';
import { eraseOf as eraseStatements, exportOf as statements } from '#modules/statements';
import { exportOf as offers } from '#modules/tag-transactions';
import { exportOf as payTags } from '#modules/tags';
import {
  eraseOf as eraseWalletMetadata,
  exportTransactionsOf as transactions,
  exportOf as wallets,
} from '#modules/wallets';

/** Everything that the rooms keep of a person: what an export exports. */
export const personExports: PersonExports = {
  profile,
  payTags,
  wallets,
  transactions,
  receivedFrom,
  payouts,
  disputes,
  inboundAccounts,
  offers,
  claims,
  links,
  beneficiaries,
  bankAccounts,
  logins,
  onboarding,
  notices,
  statements,
};

/** Everything that the rooms keep of a person and the books do not need, in the order in which sessions and codes are locked. */
export const personErasures: readonly EraseOf[] = [
  eraseSessions,
  eraseOnboarding,
  eraseSubject,
  eraseWalletMetadata,
  eraseBankAccounts,
  eraseBeneficiaries,
  eraseNotices,
  eraseStatements,
];
