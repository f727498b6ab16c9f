/** True for text that the database can hold: PostgreSQL text holds no NUL, and its json no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
