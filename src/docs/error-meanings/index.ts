import type { ErrorCode } from '#lib/error-codes.ts';
import { applicationMeanings } from './applications.ts';
import { customerMeanings } from './customers.ts';
import { disputeMeanings } from './disputes.ts';
import type { Meaning } from './meaning.ts';
import { moneyMeanings } from './money.ts';
import { operationMeanings } from './operation.ts';
import { operatorMeanings } from './operators.ts';
import { reconciliationMeanings } from './reconciliation.ts';
import { requestMeanings } from './requests.ts';

export type { Meaning, Surface } from './meaning.ts';

/** What each error code means. A code without a meaning does not compile. */
export const errorMeanings: Readonly<Record<ErrorCode, Meaning>> = {
  ...requestMeanings,
  ...customerMeanings,
  ...moneyMeanings,
  ...disputeMeanings,
  ...reconciliationMeanings,
  ...applicationMeanings,
  ...operationMeanings,
  ...operatorMeanings,
};
