import type { PagePart, Shown } from '../reads/shown.ts';
import { customerPage } from './customer.ts';
import { partnerPage } from './partner.ts';
import { walletPage } from './wallet.ts';

/** The reads whose pages are made for what they show; all others have one made from the list of operations. */
export const designed: Readonly<Record<string, (shown: Shown) => Promise<PagePart> | PagePart>> = {
  getCustomer: customerPage,
  getPartner: partnerPage,
  getWallet: walletPage,
};
