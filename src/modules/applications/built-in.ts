/** The application `PayTag`, namespace `paytag`, whose subjects are the customers. A migration inserts it. */
export const payTagApplicationId = '7a79a6f0-0000-4000-8000-000000000001';
