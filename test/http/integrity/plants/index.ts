import { accountPlants, balancePlants, bookPlants, transactionPlants } from './accounts.ts';
import {
  disputePlants,
  inboxPlants,
  paymentPlants,
  payoutPlants,
  reconciliationPlants,
  tagTransactionPlants,
} from './payments.ts';
import { credentialPlants, destinationPlants, eventPlants, operatorPlants, recoveryPlants } from './people.ts';
import type { Plant } from './plant.ts';
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
