import pg from 'pg';

/**
 * Tables of ours, those in parts as one: which parts there are depends on the month. The rows of the migrator come with its
 * migrations; those of the queue are worth nothing.
 */
const TABLES = `
  select n.nspname || '.' || quote_ident(c.relname) as name,
         (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
           where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'public', 'drizzle', 'bullmq')
   order by 1`;

interface TableOf {
  name: string;
  columns: string;
}

/** Every row of ours as a line, and where each sequence stands. */
export async function readRows(ownerUrl: string): Promise<string> {
  return connected(ownerUrl, async (client) => {
    const lines: string[] = [];
    const { rows: tables } = await client.query<TableOf>(TABLES);
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`);
      lines.push(...rows.map(({ row }) => `${name}\t${row}`));
    }
    const { rows: sequences } = await client.query<{ name: string; last: string }>(
      `select schemaname || '.' || quote_ident(sequencename) as name, last_value as last from pg_sequences
        where last_value is not null and schemaname not in ('drizzle', 'bullmq')`,
    );
    lines.push(...sequences.map(({ name, last }) => `=${name}\t${last}`));
    return `${lines.join('\n')}\n`;
  });
}

/** Puts such rows, and no others, into a database of the same schema. */
export async function writeRows(ownerUrl: string, text: string): Promise<void> {
  await connected(ownerUrl, async (client) => {
    await client.query('begin; set local session_replication_role = replica');
    const { rows: tables } = await client.query<TableOf>(TABLES);
    await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns]));
    for (const line of text.trimEnd().split('\n')) {
      const [name = '', row = ''] = line.split('\t', 2);
      const columns = columnsOf.get(name);
      if (name.startsWith('=')) await client.query('select setval($1, $2)', [name.slice(1), row]);
      else if (columns === undefined) throw new Error(`there is no table ${name}`);
      else
        await client.query(
          `insert into ${name} (${columns}) overriding system value
             select ${columns} from jsonb_populate_record(null::${name}, $1::jsonb)`,
          [row],
        );
    }
    await client.query('commit');
  });
}

async function connected<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
