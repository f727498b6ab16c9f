import type { RoutingFacts } from '#lib/crypto/routing-facts.ts';
import { routingFacts as applications } from '#modules/applications';
import { routingFacts as claims } from '#modules/claims';
import { routingFacts as customers } from '#modules/customers';
import { routingFacts as federations } from '#modules/federations';
import { routingFacts as ledger } from '#modules/ledger';
import { routingFacts as letters } from '#modules/letters';
import { routingFacts as onboarding } from '#modules/onboarding';
import { routingFacts as operators } from '#modules/operators';
import { routingFacts as outbox } from '#modules/outbox';
import { routingFacts as partners } from '#modules/partners';
import { routingFacts as sessions } from '#modules/sessions';
import { routingFacts as tagTransactions } from '#modules/tag-transactions';
import { routingFacts as tags } from '#modules/tags';
import { routingFacts as terminals } from '#modules/terminals';
import { routingFacts as wallets } from '#modules/wallets';

/** What of the rows of every room decides where money, events and codes go: what the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [
  ...applications,
  ...claims,
  ...customers,
  ...federations,
  ...ledger,
  ...letters,
  ...onboarding,
  ...operators,
  ...outbox,
  ...partners,
  ...sessions,
  ...tagTransactions,
  ...tags,
  ...terminals,
  ...wallets,
];
