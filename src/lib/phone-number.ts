import { lazyPackage } from './lazy.ts';

const phones = lazyPackage<typeof import('libphonenumber-js/mobile')>('libphonenumber-js/mobile');

/** A mobile number as E.164, read as a Nigerian one where it names no country; undefined for what is none. */
export function toMobileNumber(text: string): string | undefined {
  const parsed = phones().parsePhoneNumberFromString(text, { defaultCountry: 'NG', extract: false });
  return parsed?.isValid() === true && parsed.ext === undefined ? parsed.number : undefined;
}
