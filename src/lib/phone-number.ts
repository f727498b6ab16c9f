import { lazyPackage } from './lazy.ts';

const phones = lazyPackage<typeof import('libphonenumber-js/mobile')>('libphonenumber-js/mobile');

/** Longer than any number with all that stands between its digits. */
const LENGTH_MAX = 64;

/**
 * A mobile number as E.164, read as a Nigerian one where it names no country; undefined for what is none. It may be written as a
 * link (`tel:+2348031234567`), and dialled abroad with 00 (`002348031234567`); what begins with 009 is left to Nigeria's own way of dialling abroad.
 */
export function toMobileNumber(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const number = text.replace(/^tel:/i, '').replace(/^\D{0,3}00(?=\D{0,3}[1-8])/, '+');
  const parsed = phones().parsePhoneNumberFromString(number, { defaultCountry: 'NG', extract: false });
  return parsed?.isValid() === true && parsed.ext === undefined ? parsed.number : undefined;
}

/**
 * The country of a mobile number in E.164, e.g. `NG`. Undefined for a number of no country (a satellite phone's, an
 * international network's) and for one that is no mobile number (a premium rate, a landline).
 */
export function phoneCountry(phone: string): string | undefined {
  const parsed = phones().parsePhoneNumberFromString(phone, { extract: false });
  return parsed?.isValid() === true ? parsed.country : undefined;
}
