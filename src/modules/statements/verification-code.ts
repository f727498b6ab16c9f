import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { maskName } from '#lib/text/output.ts';
import { addressBlock } from '#lib/text/parse.ts';
import { findPartner } from '#modules/clients';
import type { Currency } from '#modules/ledger';
import type { Throttles } from '#modules/limits';
import { currencyNames, momentText, money, periodText } from './display-text.ts';
import { statementNotFound } from './link.ts';
import type { StatementContent, Verification } from './statement.ts';
import { insertPaper, selectPaper } from './store.ts';

/** What a code is made of: no letter that is mistaken for a digit (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Of five bits each: a hundred bits, too many to guess. */
const CHARACTERS = 20;

const PURPOSE = 'statement.paper';

/**
 * Records what a statement says, by the digest of its code. The code is made of all that the paper's heading says, with a key: the
 * same statement has the same code whenever it is written, and no other statement has it.
 */
export async function recordVerification(
  { db, keyring, clock, publicUrl }: { db: Database; keyring: Keyring; clock: Clock; publicUrl: string },
  statement: StatementContent,
): Promise<Verification> {
  const code = codeOf(keyring, statement);
  const codeDigest = sha256(plain(code));
  const { walletId, holder, currency, from, to, opening, credits, debits, closing, count } = statement;
  const now = clock.now();
  const heading = { currency, from, to, opening, credits, debits, closing, lines: count };
  const known = await selectPaper(db, { codeDigest });
  if (known === undefined)
    await insertPaper(db, { ...heading, codeDigest, walletId, holderMasked: maskName(holder), issuedAt: now });
  const verifyAt = `${publicUrl}/statement/verify`;
  return {
    code,
    verifyAt,
    verifyUrl: `${verifyAt}?code=${code}`,
    issuedAt: known?.paper.issuedAt ?? now,
  };
}

function codeOf(keyring: Keyring, statement: StatementContent): string {
  const { nuban, holder, paytag, address, partner, currency } = statement;
  const { from, to, opening, credits, debits, closing, count } = statement;
  const amounts = [opening, credits, debits, closing].map(String);
  const heading = [nuban, holder, paytag, address, partner, currency, from.getTime(), to.getTime(), ...amounts, count];
  const bits = BigInt(`0x${keyring.vouchFor(PURPOSE, JSON.stringify(heading)).toString('hex')}`);
  const characters = Array.from({ length: CHARACTERS }, (_, at) => ALPHABET[Number((bits >> BigInt(5 * at)) & 31n)]);
  return characters.join('').replaceAll(/.{4}(?=.)/g, '$&-');
}

/** The digest of a code as people type it: in any case, with or without hyphens, with O for 0 and I or L for 1. */
function digestOf(typed: string): Buffer | undefined {
  const code = plain(typed);
  return isCode(code) ? sha256(code) : undefined;
}

const plain = (code: string): string =>
  code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');

const isCode = (code: string): boolean =>
  code.length === CHARACTERS && Array.from(code).every((character) => ALPHABET.includes(character));

/** A branch verifies hundreds; of wrong codes, as guessers send, thirty in an hour are read. */
const VERIFICATIONS = { name: 'verifications of statements', points: 600, windowS: 3600 };

const WRONG_COST = 20;

/** What an unaltered paper says, as it is printed there; of its holder and account only what its reader can compare. */
export interface VerifiedStatement {
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
export async function verifyStatement(
  { db, throttles }: { db: Database; throttles: Throttles },
  { code, ip }: { code: string; ip: string },
): Promise<VerifiedStatement> {
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
