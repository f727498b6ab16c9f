import type { RoutingFacts } from '#lib/crypto/routing-facts.ts';
import { routingFacts as wallets } from '#modules/wallets';

/** What of the rows of every room decides where money, events and codes go: what the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [...wallets];
