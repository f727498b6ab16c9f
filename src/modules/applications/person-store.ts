import { and, eq } from '#drizzle';
import type { EraseOf, OfCustomer } from '#lib/personal-data.ts';
import { prepared } from '#lib/postgres/prepared.ts';
import { payTagApplicationId, subject } from './tables.ts';

/** What those who looked the customer's PayTag up were shown. */
export const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await erase(tx, { customerId });
};

const erase = prepared('applications.erase', (db, given: OfCustomer) =>
  db
    .update(subject)
    .set({ displayName: null, emailSealed: null, imageUrl: null, metadata: null })
    .where(and(eq(subject.applicationId, payTagApplicationId), eq(subject.externalId, given.customerId))),
);
