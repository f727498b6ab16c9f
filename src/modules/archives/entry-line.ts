import { createHash } from 'node:crypto';

/** The columns of `entries.csv`, which are those of `ledger.entry`. */
export const ENTRY_COLUMNS =
  'transaction_id,leg,account_id,amount,fee,version,opening,closing,business_date,created_at' as const;

/** An entry of a file. Amounts are minor units. */
export interface ArchivedEntry {
  readonly transactionId: bigint;
  readonly leg: number;
  readonly accountId: bigint;
  readonly amount: bigint;
  readonly fee: bigint;
  /** Null for an account of ours, as both balances are. */
  readonly version: bigint | null;
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  /** YYYY-MM-DD. */
  readonly businessDate: string;
  /** Milliseconds. */
  readonly createdAt: number;
}

const LINE =
  /^(\d+),(\d+),(\d+),(-?\d+),(\d+),(\d*),(-?\d*),(-?\d*),(\d{4}-\d\d-\d\d),(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

/** @throws Error for a line that is no entry */
export function readEntry(line: string): ArchivedEntry {
  const found = LINE.exec(line);
  if (found === null) throw new Error(`is not the line of an entry: ${line.slice(0, 200)}`);
  const [, transaction = '', leg, account = '', amount = '', fee = '', version = '', opening = '', closing = ''] =
    found;
  const orNull = (text: string): bigint | null => (text === '' ? null : BigInt(text));
  return {
    transactionId: BigInt(transaction),
    leg: Number(leg),
    accountId: BigInt(account),
    amount: BigInt(amount),
    fee: BigInt(fee),
    version: orNull(version),
    opening: orNull(opening),
    closing: orNull(closing),
    businessDate: found[9] ?? '',
    createdAt: Date.parse(found[10] ?? ''),
  };
}

/** PostgreSQL counts days and microseconds from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;
const OID = { int8: 20, int2: 21, date: 1082, timestamptz: 1184 } as const;
const FIELDS = 10;
/** A field is its type, its length and its value. */
const RECORD_BYTES_MAX = 4 + FIELDS * 16;

/** An entry as `record_send` of PostgreSQL writes it: what a seal is the digest of. The buffer is written anew by the next call. */
function recordWriter(): (entry: ArchivedEntry) => Buffer {
  const buffer = Buffer.alloc(RECORD_BYTES_MAX);
  let at = 0;
  const head = (oid: number, length: number): void => {
    at = buffer.writeInt32BE(oid, at);
    at = buffer.writeInt32BE(length, at);
  };
  const int8 = (value: bigint | null): void => {
    head(OID.int8, value === null ? -1 : 8);
    if (value !== null) at = buffer.writeBigInt64BE(value, at);
  };
  return (entry) => {
    at = buffer.writeInt32BE(FIELDS, 0);
    int8(entry.transactionId);
    head(OID.int2, 2);
    at = buffer.writeInt16BE(entry.leg, at);
    for (const one of [entry.accountId, entry.amount, entry.fee, entry.version, entry.opening, entry.closing])
      int8(one);
    head(OID.date, 4);
    at = buffer.writeInt32BE((Date.parse(entry.businessDate) - EPOCH_MS) / DAY_MS, at);
    head(OID.timestamptz, 8);
    at = buffer.writeBigInt64BE(BigInt(entry.createdAt - EPOCH_MS) * 1000n, at);
    return buffer.subarray(0, at);
  };
}

/** Transactions in a chunk, as a power of two: `seals.contents` in SQL has the same. */
const CHUNK_BITS = 12n;

/**
 * The digest of the entries of one sealed period, as a seal of format 1 has it: each chunk of its transactions by its SHA-256, and
 * those by theirs. Entries come in the order of transaction and leg.
 */
export function digestEntries(): { add(entry: ArchivedEntry): void; end(): { rows: number; digest: string } } {
  const write = recordWriter();
  const whole = createHash('sha256');
  let chunk: { number: bigint; hash: ReturnType<typeof createHash> } | undefined;
  let rows = 0;
  const endChunk = (): void => {
    if (chunk !== undefined) whole.update(chunk.hash.digest());
    chunk = undefined;
  };
  return {
    add(entry) {
      const number = entry.transactionId >> CHUNK_BITS;
      if (chunk?.number !== number) {
        endChunk();
        chunk = { number, hash: createHash('sha256') };
      }
      chunk.hash.update(write(entry));
      rows += 1;
    },
    end() {
      endChunk();
      return { rows, digest: whole.digest('hex') };
    },
  };
}
