import { requirePartner } from '../../http/auth/partner.ts';
import { honourIdempotencyKeys } from '../../http/idempotency.ts';
import { neverStore } from '../../http/never-store.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { postPaytag } from './post-paytag.ts';
import { postPaytagBvn } from './post-paytag-bvn.ts';
import { postWallet } from './post-wallet.ts';
import { postWalletCredit } from './post-wallet-credit.ts';
import { postWalletDebit } from './post-wallet-debit.ts';

const endpoints = [postPaytag, postPaytagBvn, postWallet, postWalletCredit, postWalletDebit];

/** The partner API: PayTags and partner-scoped wallets. */
export const partnerPlugin = (resources: Resources) => async (app: ZodApp) => {
  neverStore(app);
  requirePartner(app, resources);
  honourIdempotencyKeys(app, resources);
  for (const endpoint of endpoints) endpoint(app, resources);
};
