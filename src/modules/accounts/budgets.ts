import type { Throttles } from '#modules/limits';

const HOUR_S = 3600;

/** How often an operator may be shown a customer in the clear. */
export interface RevealBudget {
  limits: { revealsPerH: number };
  throttles: Throttles;
}

/** How often an operator may look for customers. */
export interface FindBudget {
  limits: { findsPerH: number };
  throttles: Throttles;
}

/**
 * Counts that an operator is shown a customer in the clear: reveals and exports together, whoever they are of.
 *
 * @param actor the operator, as audit entries name them
 * @throws DomainError TOO_MANY_REQUESTS
 */
export async function countReveal({ limits, throttles }: RevealBudget, actor: string): Promise<void> {
  await throttles.take({ name: 'reveals and exports', points: limits.revealsPerH, windowS: HOUR_S }, actor);
}

/** Counts a search of an operator's. @throws DomainError TOO_MANY_REQUESTS */
export async function countFind({ limits, throttles }: FindBudget, actor: string): Promise<void> {
  await throttles.take({ name: 'searches for customers', points: limits.findsPerH, windowS: HOUR_S }, actor);
}
