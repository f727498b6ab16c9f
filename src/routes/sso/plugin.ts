import { expectCustomers, requireCustomer, requirePartner } from '#http/auth/partner.ts';
import { noStore } from '#http/headers.ts';
import { honourIdempotencyKeys } from '#http/idempotency.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import { deleteBeneficiary } from './delete-beneficiary.ts';
import { deleteConsent } from './delete-consent.ts';
import { deleteContact } from './delete-contact.ts';
import { deleteToken } from './delete-token.ts';
import { getBeneficiary } from './get-beneficiary.ts';
import { getConsent } from './get-consent.ts';
import { getContact } from './get-contact.ts';
import { getCreateTagOtp } from './get-create-tag-otp.ts';
import { getOtp } from './get-otp.ts';
import { getQr } from './get-qr.ts';
import { getSso } from './get-sso.ts';
import { getToken } from './get-token.ts';
import { getTransaction } from './get-transaction.ts';
import { getTransactionStatement } from './get-transaction-statement.ts';
import { getVerifyTag } from './get-verify-tag.ts';
import { getWallet } from './get-wallet.ts';
import { getWalletBankAccount } from './get-wallet-bank-account.ts';
import { getWalletLimit } from './get-wallet-limit.ts';
import { postAuthCode } from './post-auth-code.ts';
import { postCreateTag } from './post-create-tag.ts';
import { postCreateTagComplete } from './post-create-tag-complete.ts';
import { postOtp } from './post-otp.ts';
import { postPassword } from './post-password.ts';
import { postPasswordComplete } from './post-password-complete.ts';
import { postPayout } from './post-payout.ts';
import { postTransaction } from './post-transaction.ts';
import { postTransactionStatement } from './post-transaction-statement.ts';
import { postWalletBankAccount } from './post-wallet-bank-account.ts';
import { putContact } from './put-contact.ts';

const partnerEndpoints = [
  postAuthCode,
  getToken,
  deleteToken,
  getVerifyTag,
  postCreateTag,
  getOtp,
  getCreateTagOtp,
  postOtp,
  postCreateTagComplete,
  getSso,
  postPassword,
  postPasswordComplete,
];
const customerEndpoints = [
  getBeneficiary,
  deleteBeneficiary,
  getConsent,
  deleteConsent,
  getContact,
  putContact,
  deleteContact,
  getWallet,
  getTransaction,
  getTransactionStatement,
  getWalletLimit,
  getQr,
  postTransaction,
  postPayout,
  postTransactionStatement,
  getWalletBankAccount,
  postWalletBankAccount,
];

type Deps = DepsOfEndpoints<typeof partnerEndpoints> &
  DepsOfEndpoints<typeof customerEndpoints> &
  Parameters<typeof requirePartner>[1] &
  Parameters<typeof requireCustomer>[1] &
  Parameters<typeof honourIdempotencyKeys>[1];

/** The SSO API: PayTag onboarding, login, and the logged-in customer's wallet. */
export const ssoPlugin = (deps: Deps) => async (app: ZodApp) => {
  noStore(app);
  await app.register(async (partnerApp: ZodApp) => {
    requirePartner(partnerApp, deps);
    honourIdempotencyKeys(partnerApp, deps);
    for (const endpoint of partnerEndpoints) endpoint(partnerApp, deps);
  });
  await app.register(async (customerApp: ZodApp) => {
    expectCustomers(customerApp, deps);
    requirePartner(customerApp, deps);
    requireCustomer(customerApp, deps);
    honourIdempotencyKeys(customerApp, deps);
    for (const endpoint of customerEndpoints) endpoint(customerApp, deps);
  });
};
