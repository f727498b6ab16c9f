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

/** What disturbs this call of a simulator, on behalf of whoever calls us; undefined when nothing does. It counts. */
export type TakeDisturbance = (provider: ProviderName) => Promise<Disturbance | undefined>;
