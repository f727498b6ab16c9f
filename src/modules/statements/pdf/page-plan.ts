/** In points. All lines have the same height, so that the number of pages is known before the first one is written. */
export const LINE_HEIGHT = 24;
/** Lines that fit on the first page, under its heading, and on each later one. */
export const FIRST_PAGE_LINES = 18;
export const LATER_PAGE_LINES = 27;
/** The height of what stands after the last line, in lines: the closing balance, the code and the notes. */
const END_LINES = 6;

/** How many pages a statement of `lines` lines has. Closing balance and notes always stand on one page. */
export function pageCount(lines: number): number {
  const later = Math.max(0, Math.ceil((lines - FIRST_PAGE_LINES) / LATER_PAGE_LINES));
  const room = FIRST_PAGE_LINES + later * LATER_PAGE_LINES - lines;
  return 1 + later + (room < END_LINES ? 1 : 0);
}
