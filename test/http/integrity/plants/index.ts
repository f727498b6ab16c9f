import { accountPlants } from './accounts.ts';
import { balancePlants } from './balances.ts';
import { bookPlants } from './books.ts';
import { credentialPlants } from './credentials.ts';
import { destinationPlants } from './destinations.ts';
import { disputePlants } from './disputes.ts';
import { eventPlants } from './events.ts';
import { inboxPlants } from './inbox.ts';
import { operatorPlants } from './operator.ts';
import { paymentPlants } from './payments.ts';
import { payoutPlants } from './payouts.ts';
import type { Plant } from './plant.ts';
import { reconciliationPlants } from './reconciliation.ts';
import { recoveryPlants } from './recovery.ts';
import { tagTransactionPlants } from './tag-transactions.ts';
import { transactionPlants } from './transactions.ts';
import { walletPlants } from './wallets.ts';

export const plants: readonly Plant[] = [
  ...balancePlants,
  ...transactionPlants,
  ...accountPlants,
  ...eventPlants,
  ...walletPlants,
  ...operatorPlants,
  ...credentialPlants,
  ...destinationPlants,
  ...recoveryPlants,
  ...paymentPlants,
  ...payoutPlants,
  ...disputePlants,
  ...inboxPlants,
  ...bookPlants,
  ...reconciliationPlants,
  ...tagTransactionPlants,
];
