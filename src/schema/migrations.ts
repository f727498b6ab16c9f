import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { sha256 } from '#lib/crypto/digest.ts';
import { projectFile } from '#lib/files.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(projectFile('migrations'));

/** One file of migrations/. */
export interface Migration {
  /** Its name without .sql, e.g. 0000_baseline. */
  readonly tag: string;
  /** Its place in the order of all. */
  readonly when: number;
  /** Of its text, as drizzle-orm stores it. */
  readonly hash: string;
  readonly statements: readonly string[];
  /** Each statement runs by itself, and may be repeated: for indexes that are made while the table is written to. */
  readonly isOutsideTransaction: boolean;
  /** Servers whose last migration is this one or a later one work with the schema that it makes; undefined: none of before. */
  readonly worksFrom: number | undefined;
}

/** Comments of a migration that are read. migrations/README.md says when each is written. */
const OUTSIDE_TRANSACTION = /^-- Outside a transaction\b/m;
const WORKS_FROM = /^-- Servers from (\d{4}) on work with it\.$/m;
const BREAKPOINT = '--> statement-breakpoint';

const journal = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })) });

/** The migrations of a folder, in their order. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const { entries } = journal.parse(JSON.parse(await readFile(`${folder}/meta/_journal.json`, 'utf8')));
  const whens = new Map(entries.map(({ tag, when }) => [tag.slice(0, 4), when]));
  return Promise.all(
    entries.map(async ({ tag, when }): Promise<Migration> => {
      const text = await readFile(`${folder}/${tag}.sql`, 'utf8');
      const from = WORKS_FROM.exec(text)?.[1];
      if (from !== undefined && !whens.has(from))
        throw new Error(`${tag} names migration ${from}, which does not exist`);
      return {
        tag,
        when,
        hash: sha256(text).toString('hex'),
        statements: text.split(BREAKPOINT),
        isOutsideTransaction: OUTSIDE_TRANSACTION.test(text),
        worksFrom: from === undefined ? undefined : whens.get(from),
      };
    }),
  );
}
