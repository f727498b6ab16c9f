export { asMinor, type Minor, negated, toMajor } from '#lib/minor-units.ts';

export const currencies = ['NGN', 'FP'] as const;
export type Currency = (typeof currencies)[number];
