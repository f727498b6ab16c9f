import { customType, timestamp } from '#drizzle/pg-core';

/** A moment, to the millisecond, as a Date. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** Bytes: a digest, a blind index, or what the keyring sealed. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
