/** Every line is as high, so that the pages are known before the first one is written. Points. */
export const LINE_HEIGHT = 24;
/** Lines that have room on the first page, beside its heading, and on each later one. */
export const FIRST_PAGE_LINES = 19;
export const LATER_PAGE_LINES = 27;
/** The room that the closing balance and the notes take after the last line, in lines. */
const END_LINES = 3;

/** How many pages a statement of `lines` lines has. Its end is never torn apart. */
export function pageCount(lines: number): number {
  const later = Math.max(0, Math.ceil((lines - FIRST_PAGE_LINES) / LATER_PAGE_LINES));
  const room = FIRST_PAGE_LINES + later * LATER_PAGE_LINES - lines;
  return 1 + later + (room < END_LINES ? 1 : 0);
}
