/** Providers whose simulators can be disturbed. */
export const providerNames = ['bvn', 'bank', 'messaging', 'email'] as const;
export type ProviderName = (typeof providerNames)[number];

/** fail: it is down. timeout: no answer comes. slow: the answer is the usual one. Each after the delay. */
export const disturbedAnswers = ['fail', 'timeout', 'slow'] as const;
export type DisturbedAnswer = (typeof disturbedAnswers)[number];

/** How a simulator answers one call. */
export interface Disturbance {
  answer: DisturbedAnswer;
  delayMs: number;
}

/** The disturbance of this call of a simulator that our caller has ordered, if any. Counts it as used. */
export type TakeDisturbance = (provider: ProviderName) => Promise<Disturbance | undefined>;
