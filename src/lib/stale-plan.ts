/**
 * True when PostgreSQL no longer takes a prepared statement on its connection: a migration changed what the statement answers,
 * or it was never prepared there. It is taken again on a new connection.
 */
export function isStalePlan(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code, routine } = at as { code?: unknown; routine?: unknown };
    if (code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')) return true;
  }
  return false;
}
