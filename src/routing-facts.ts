import type { RoutingFacts } from '#lib/crypto/routing-facts.ts';
import { routingFacts as applications } from '#modules/applications';
import { routingFacts as customers } from '#modules/customers';
import { routingFacts as ledger } from '#modules/ledger';
import { routingFacts as letters } from '#modules/letters';
import { routingFacts as operators } from '#modules/operators';
import { routingFacts as outbox } from '#modules/outbox';
import { routingFacts as partners } from '#modules/partners';
import { routingFacts as sessions } from '#modules/sessions';
import { routingFacts as tags } from '#modules/tags';
import { routingFacts as wallets } from '#modules/wallets';

/** What of the rows of every room decides where money, events and codes go: what the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [
  ...applications,
  ...customers,
  ...ledger,
  ...letters,
  ...operators,
  ...outbox,
  ...partners,
  ...sessions,
  ...tags,
  ...wallets,
];
