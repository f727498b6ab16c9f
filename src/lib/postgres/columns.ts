import { customType, timestamp } from '#drizzle/pg-core';

/** A `timestamptz` column with milliseconds; a Date in TypeScript. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** A `bytea` column, e.g. for a digest, a blind index or what the keyring sealed; a Buffer in TypeScript. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
