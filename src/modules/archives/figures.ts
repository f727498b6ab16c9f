import { createHash } from 'node:crypto';
import type { ArchivedEntry } from './entry-line.ts';

/** The columns of `accounts.csv`. Those up to `moved_at` are what the database carries of the account. */
export const ACCOUNT_COLUMNS =
  'account_id,entries,debits,credits,opening,version,closing,moved_at,kind,currency,reference,partner_id' as const;

/** What the entries of a month did to an account. */
interface Figures {
  entries: number;
  debits: bigint;
  credits: bigint;
  first: bigint | null;
  opening: bigint | null;
  version: bigint | null;
  closing: bigint | null;
  movedAt: number;
}

/** Adds up what entries, in any order, did to each account. */
export interface Adding {
  add(entry: ArchivedEntry): void;
  /** A line of each account as `ledger.carried_digest` writes it, in the order of their ids. */
  lines(): string[];
  /** What does not follow: numbers that are missing, balances that are not what was moved. */
  findings(): string[];
}

/** As `ledger.carried_digest` in SQL. */
export const digestLines = (lines: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`);
  return hash.digest('hex');
};

export function addUp(): Adding {
  const accounts = new Map<bigint, Figures>();
  return {
    add({ accountId, amount, version, opening, closing, createdAt }) {
      let of = accounts.get(accountId);
      if (of === undefined) {
        of = { entries: 0, debits: 0n, credits: 0n, first: version, opening, version, closing, movedAt: createdAt };
        accounts.set(accountId, of);
      }
      of.entries += 1;
      if (amount < 0n) of.debits -= amount;
      else of.credits += amount;
      if (createdAt > of.movedAt) of.movedAt = createdAt;
      if (version === null || of.first === null || of.version === null) return;
      if (version < of.first) [of.first, of.opening] = [version, opening];
      if (version > of.version) [of.version, of.closing] = [version, closing];
    },
    lines() {
      const sorted = [...accounts].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return sorted.map(([id, { entries, debits, credits, opening, version, closing, movedAt }]) => {
        const balances = [opening, version, closing].map((one) => one ?? '').join(',');
        return `${id},${entries},${debits},${credits},${balances},${new Date(movedAt).toISOString()}`;
      });
    },
    findings() {
      const wrong: string[] = [];
      for (const [id, { entries, debits, credits, first, opening, version, closing }] of accounts) {
        if (version === null || first === null) continue;
        if (version - first + 1n !== BigInt(entries))
          wrong.push(`account ${id}: numbers are missing among its entries`);
        if ((opening ?? 0n) + credits - debits !== closing)
          wrong.push(`account ${id}: its balances are not what was moved`);
      }
      return wrong;
    },
  };
}
