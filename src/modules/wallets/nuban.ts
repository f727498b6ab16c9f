/** Weights of the check digit, repeated over institution code and serial number. */
const WEIGHTS = [3, 7, 3];
const SERIAL_DIGITS = 9;

/**
 * The check digit of a Nuban: every digit of institution code and serial is weighted 3, 7, 3, 3, 7, 3 …, and the
 * digit brings the sum to a multiple of ten. Source: CBN, Nigeria Uniform Bank Account Number standard (2010, revised
 * 2020); a bank's three-digit code counts there as six with leading zeros, which add nothing.
 */
export function checkDigit(institutionCode: string, serial: string): string {
  const sum = Array.from(institutionCode.padStart(6, '0') + serial).reduce(
    (total, digit, position) => total + Number(digit) * (WEIGHTS[position % WEIGHTS.length] ?? 0),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}

/** The ten-digit account number of a serial number: nine digits and the check digit. */
export function nubanOf(institutionCode: string, serialNumber: number): string {
  const serial = String(serialNumber).padStart(SERIAL_DIGITS, '0');
  if (serial.length > SERIAL_DIGITS) throw new RangeError('all account numbers of this institution are given out');
  return serial + checkDigit(institutionCode, serial);
}
