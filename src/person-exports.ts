import { exportOf as bankAccounts } from '#modules/bank-accounts';
import { exportOf as beneficiaries } from '#modules/beneficiaries';
import { exportOf as claims } from '#modules/claims';
import { exportOf as profile } from '#modules/customers';
import type { PersonExports } from '#modules/data-rights';
import { exportOf as links } from '#modules/federations';
import { exportOf as notices } from '#modules/notices';
import { exportOf as onboarding } from '#modules/onboarding';
import { exportOf as receivedFrom } from '#modules/payments';
import { exportOf as logins } from '#modules/sessions';
import { exportOf as statements } from '#modules/statements';
import { exportOf as offers } from '#modules/tag-transactions';
import { exportOf as payTags } from '#modules/tags';
import { exportTransactionsOf as transactions, exportOf as wallets } from '#modules/wallets';

/** Everything that the rooms keep of a person: what an export exports. */
export const personExports: PersonExports = {
  profile,
  payTags,
  wallets,
  transactions,
  receivedFrom,
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
