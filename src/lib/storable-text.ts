/** True for a text that PostgreSQL can store: its `text` takes no NUL, and its `jsonb` no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
