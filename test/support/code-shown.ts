/**
 * True when a text shows these few digits as something of their own. A clock, a measured time or an id may have the same
 * ones in a row by chance, between others.
 */
export const showsCode = (text: string, code: string): boolean =>
  new RegExp(`(?<![\\w.-])${code}(?![\\w-]|\\.\\d)`).test(text);
