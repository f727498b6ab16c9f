import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

/** The keyring's purpose for the e-mail address of a partner's contact. */
export const CONTACT_PURPOSE = 'partner.contact';

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'partners.partner', column: 'contact_email_sealed', purpose: CONTACT_PURPOSE },
];
