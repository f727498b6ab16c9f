import { finished, Readable } from 'node:stream';
import type { Brand } from '#lib/brand.ts';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { isSessionOpen, sessionsEndedSince } from '#modules/sessions';
import { periodName } from './display-text.ts';
import { type Format, linkExpired, readLink } from './link.ts';
import { readStatement, type Statement } from './statement.ts';
import { selectHolder } from './store.ts';
import { recordVerification } from './verification-code.ts';
import { writeCsv } from './write-csv.ts';
import { htmlPolicy, writeHtml } from './write-html.ts';
import { writePdf } from './write-pdf.ts';
import { writeXlsx } from './write-xlsx.ts';

/** Documents that this process writes at the same time. Each holds a page or two in memory and reads the database. */
const WRITTEN_AT_ONCE_MAX = 8;
/** Of them for one wallet: fetching one link again and again leaves room for the others. */
const OF_A_WALLET_MAX = 2;
/** A reader that takes longer is cut off, so that another can be served. */
const READING_MAX_MS = 2 * 60 * 1000;

/** A statement as a document. */
export interface StatementDocument {
  contentType: string;
  filename: string;
  /** For HTML: what the page may load and run. */
  contentSecurityPolicy: string | undefined;
  /** Written no faster than it is read. */
  body: Readable;
}

const forms: Record<
  Format,
  {
    type: string;
    write: (statement: Statement) => AsyncIterable<Buffer | string>;
    policy?: (statement: Statement) => string;
  }
> = {
  pdf: { type: 'application/pdf', write: writePdf },
  csv: { type: 'text/csv; charset=utf-8; header=present', write: writeCsv },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: writeXlsx },
  html: { type: 'text/html; charset=utf-8', write: writeHtml, policy: htmlPolicy },
};

/** How many are being written for each wallet. */
const beingWritten = new Map<string, number>();

/**
 * The document that a link's token asks for.
 *
 * @throws DomainError STATEMENT_NOT_FOUND, STATEMENT_LINK_EXPIRED also when its session has ended, WALLET_NOT_FOUND when the wallet was revoked since,
 *   BUSY while too many are being written
 */
export async function openStatement(
  deps: {
    db: Database;
    readLong: ReadLong;
    keyring: Keyring;
    clock: Clock;
    securityLog: SecurityLog;
    brand: Brand;
    publicUrl: string;
    environment: string;
  },
  token: string,
): Promise<StatementDocument> {
  const asked = readLink(deps.keyring, token, deps.clock.now());
  if (await hasEnded(deps, asked)) throw linkExpired();
  const done = takeRoom(asked.wallet);
  try {
    const content = await readStatement(deps, asked);
    const testing = deps.environment === 'live' ? undefined : deps.environment;
    const statement = { ...content, ...(await recordVerification(deps, content)), brand: deps.brand, testing };
    const { type, write, policy } = forms[asked.format];
    const body = Readable.from(write(statement));
    // Not AbortSignal.timeout: it would keep what has been read until then, which is megabytes of a PDF.
    const late = setTimeout(() => body.destroy(new Error('the document was read too slowly')), READING_MAX_MS).unref();
    finished(body, () => {
      clearTimeout(late);
      done();
    });
    const filename = `statement-${statement.nuban}-${periodName(statement)}.${asked.format}`;
    return { contentType: type, filename, contentSecurityPolicy: policy?.(statement), body };
  } catch (error) {
    done();
    throw error;
  }
}

/** Takes room for one more document of a wallet. @returns what gives it back @throws DomainError BUSY */
function takeRoom(wallet: string): () => void {
  const ofWallet = beingWritten.get(wallet) ?? 0;
  const all = [...beingWritten.values()].reduce((sum, one) => sum + one, 0);
  if (all >= WRITTEN_AT_ONCE_MAX || ofWallet >= OF_A_WALLET_MAX) {
    throw new DomainError('BUSY', 'too many statements are being written: send the same request again', {
      retryAfterS: 2,
    });
  }
  beingWritten.set(wallet, ofWallet + 1);
  return () => {
    const left = (beingWritten.get(wallet) ?? 1) - 1;
    if (left > 0) beingWritten.set(wallet, left);
    else beingWritten.delete(wallet);
  };
}

/** A link ends with the session in which it was asked for; one in a mail, when the customer's sessions are all ended. */
async function hasEnded(
  { db, clock }: { db: Database; clock: Clock },
  { wallet, origin }: ReturnType<typeof readLink>,
): Promise<boolean> {
  if ('session' in origin) return !(await isSessionOpen(db, origin.session, clock.now()));
  const holder = await selectHolder(db, wallet);
  return holder === undefined || sessionsEndedSince(db, holder, origin.at);
}
