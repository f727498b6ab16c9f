import { type Currency, currencies } from './money.ts';

/**
 * Our own accounts: where money enters and leaves the books at the operator's bank (CLEARING) and at each rail, what is
 * charged, where money waits that cannot be credited, and what banks took or paid without our books knowing why (DIFFERENCE).
 */
export const systemAccountKinds = [
  'CLEARING',
  'FEE',
  'COMMISSION',
  'STAMP_DUTY',
  'SUSPENSE',
  'CLEARING_GATEWAY',
  'CLEARING_TERMINAL',
  'CLEARING_INBOUND',
  'CLEARING_PAYOUT',
  'CLEARING_COLLECTION',
  'DIFFERENCE',
] as const;
/** Every kind of account. */
export const accountKinds = ['WALLET', 'FLOAT', 'APPLICATION', ...systemAccountKinds] as const;
export type SystemAccountKind = (typeof systemAccountKinds)[number];

/** The id of one of our own accounts. The baseline migration creates them in this order. */
export const systemAccount = (kind: SystemAccountKind, currency: Currency): number =>
  systemAccountKinds.indexOf(kind) * currencies.length + currencies.indexOf(currency) + 1;

/** Which of our own accounts an id is of; undefined for anybody else's. */
export const ownKindOf = (id: number | null): SystemAccountKind | undefined =>
  id === null ? undefined : systemAccountKinds[Math.floor((id - 1) / currencies.length)];
