import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

/** The e-mail address of a partner's contact. */
export const CONTACT = {
  table: 'partners.partner',
  column: 'contact_email_sealed',
  row: ['id'],
} as const satisfies SealedColumn;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [CONTACT];
