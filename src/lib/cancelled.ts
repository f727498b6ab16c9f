/** SQLSTATE of a statement that was cancelled, e.g. by its time limit. */
const CANCELLED = '57014';

/** True when the error, or what caused it, is a statement that took longer than its connection allows: drizzle wraps what failed. */
export function isCancelled(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ((at as { code?: unknown }).code === CANCELLED) return true;
  }
  return false;
}
