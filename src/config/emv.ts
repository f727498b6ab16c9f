import { z } from 'zod';
import { matching } from './formats.ts';

/** The institution's data in the scheme of merchant-presented QR codes (EMVCo QRCPS, Merchant-Presented Mode 1.1). */
export interface EmvSettings {
  /** The scheme's identifier in the template of the account. */
  readonly schemeId: string;
  /** The institution's identifier in the scheme. */
  readonly institutionId: string;
  readonly merchantCategoryCode: string;
  readonly city: string;
}

export const emvVariables = {
  EMV_SCHEME_ID: matching(
    /^(?! )[\x20-\x7e]{1,32}(?<! )$/,
    'must be 1 to 32 printable ASCII characters: an AID, a UUID without hyphens or a domain',
  )
    .optional()
    .describe('globally unique identifier of the QR scheme; without it there are no EMVCo payloads'),
  EMV_INSTITUTION_ID: matching(/^(?! )[\x20-\x7e]{1,20}(?<! )$/, 'must be 1 to 20 printable ASCII characters')
    .optional()
    .describe('the institution’s identifier in the QR scheme; without it NUBAN_INSTITUTION_CODE'),
  EMV_MERCHANT_CATEGORY_CODE: matching(/^\d{4}$/, 'must be four digits (ISO 18245)')
    .default('4829')
    .describe('merchant category of customers’ QR codes; 4829 is a transfer of money'),
  EMV_CITY: matching(/^(?! )[\x20-\x7e]{1,15}(?<! )$/, 'must be 1 to 15 printable ASCII characters')
    .default('Lagos')
    .describe('city in the QR codes of customers'),
};

type Read = Readonly<z.output<z.ZodObject<typeof emvVariables>>> & { readonly NUBAN_INSTITUTION_CODE: string };

/** Undefined where the institution is part of no scheme. */
export const emvSettingsOf = (read: Read): EmvSettings | undefined =>
  read.EMV_SCHEME_ID === undefined
    ? undefined
    : {
        schemeId: read.EMV_SCHEME_ID,
        institutionId: read.EMV_INSTITUTION_ID ?? read.NUBAN_INSTITUTION_CODE,
        merchantCategoryCode: read.EMV_MERCHANT_CATEGORY_CODE,
        city: read.EMV_CITY,
      };
