declare const minor: unique symbol;

/** An amount in minor units (kobo, hundredths of a point). Never a float. */
export type Minor = bigint & { readonly [minor]: true };

/** Says of a bigint that it counts minor units. */
export const asMinor = (value: bigint): Minor => value as Minor;

/** An amount as answers and event bodies show it: a number of major units. */
export const toMajor = (amount: bigint): number => Number(amount) / 100;

/** The same amount the other way. */
export const negated = (amount: Minor): Minor => asMinor(-BigInt(amount));

export const currencies = ['NGN', 'FP'] as const;
export type Currency = (typeof currencies)[number];
