import { itemPage } from '../reads/item-page.ts';
import type { PagePart, Shown } from '../reads/shown.ts';

const NOT_CHECKED = 'Not everything has been checked yet: no whole check has ended.';

/** The page of a check of the books, and of what the last ones found. */
export function ledgerCheckPage(shown: Shown): PagePart {
  const { operation, answer, query } = shown;
  const isUnchecked = query['last'] === 'true' && answer['checkedAt'] === undefined;
  return itemPage(shown, { lead: isUnchecked ? NOT_CHECKED : operation.summary });
}
