import type { Database } from '#lib/postgres/executor.ts';
import { addressBlock } from '#lib/text/parse.ts';
import { findPartner } from '#modules/clients';
import type { Currency } from '#modules/ledger';
import type { Throttles } from '#modules/limits';
import { currencyNames, momentText, money, periodText } from './format.ts';
import { statementNotFound } from './link.ts';
import { digestOf } from './paper.ts';
import { selectPaper } from './paper-store.ts';

/** A branch verifies hundreds; of wrong codes, as whoever guesses sends, thirty in an hour are read. */
const VERIFICATIONS = { name: 'verifications of statements', points: 600, windowS: 3600 };
const WRONG_COST = 20;

/** What a paper says if nobody altered it, as it is printed there; of its holder and account only what its reader can compare. */
export interface VerifiedPaper {
  /** First letters. */
  holder: string;
  /** Last four digits. */
  account: string;
  partner: string;
  currency: string;
  period: string;
  opening: string;
  credits: string;
  debits: string;
  closing: string;
  lines: number;
  issued: string;
}

/**
 * What the paper with a code says.
 *
 * @param asked.ip who asks, whose wrong codes are counted
 * @throws DomainError STATEMENT_NOT_FOUND for a code that is on no paper of ours, TOO_MANY_REQUESTS
 */
export async function verifyPaper(
  { db, throttles }: { db: Database; throttles: Throttles },
  { code, ip }: { code: string; ip: string },
): Promise<VerifiedPaper> {
  const from = addressBlock(ip);
  await throttles.take(VERIFICATIONS, from, WRONG_COST);
  const codeDigest = digestOf(code);
  const found = codeDigest && (await selectPaper(db, { codeDigest }));
  if (found === undefined) throw statementNotFound();
  await throttles.giveBack(VERIFICATIONS, from, WRONG_COST - 1);
  const { paper, nuban, partnerId } = found;
  const currency = paper.currency as Currency;
  const shown = (amount: bigint) => money(amount, currency);
  return {
    holder: paper.holderMasked,
    account: nuban.slice(-4),
    partner: (await findPartner(db, partnerId))?.name ?? '',
    currency: currencyNames[currency],
    period: periodText(paper),
    opening: shown(paper.opening),
    credits: shown(paper.credits),
    debits: shown(paper.debits),
    closing: shown(paper.closing),
    lines: paper.lines,
    issued: momentText(paper.issuedAt),
  };
}
