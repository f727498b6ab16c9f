import { lazyPackage } from './lazy.ts';

const phones = lazyPackage<typeof import('libphonenumber-js/mobile')>('libphonenumber-js/mobile');

/** A mobile number as E.164, read as a Nigerian one where it names no country; undefined for what is none. */
export function toMobileNumber(text: string): string | undefined {
  const parsed = phones().parsePhoneNumberFromString(text, { defaultCountry: 'NG', extract: false });
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
