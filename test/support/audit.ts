import type { TestApp } from './app.ts';

export interface AuditEntry {
  actor: string;
  action: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
}

/** What the audit log says of a target, oldest first. */
export async function auditOf({ resources }: TestApp, target: string): Promise<AuditEntry[]> {
  const { rows } = await resources.pool.query<AuditEntry>(
    'select actor, action, before, after, reason from audit.entry where target = $1 order by id',
    [target],
  );
  return rows;
}

export interface WrittenEntry extends AuditEntry {
  id: number;
  at: Date;
  target: string;
}

/** What the audit log says since entry `after`, oldest first, whatever it is about. */
export async function auditSince({ resources }: TestApp, after: number): Promise<WrittenEntry[]> {
  const { rows } = await resources.pool.query<WrittenEntry>(
    'select id::int, at, actor, action, target, before, after, reason from audit.entry where id > $1 order by id',
    [after],
  );
  return rows;
}

/** An entry of what root did. */
export const byRoot = (
  action: string,
  { before = null, after = null, reason = null }: Partial<Pick<AuditEntry, 'before' | 'after' | 'reason'>> = {},
): AuditEntry => ({ actor: 'operator:root', action, before, after, reason });
