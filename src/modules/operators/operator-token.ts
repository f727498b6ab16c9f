import { randomToken } from '#lib/random.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const TOKEN = /^op_(sandbox|staging|live)_[\w-]{43}$/;

/** 256 random bits after the prefix of the environment. */
export const newOperatorToken = (environment: string): string => `op_${environment}_${randomToken()}`;

/** The environment that a token says it is of; undefined for what is no operator's token. */
export const environmentOf = (token: string): string | undefined => TOKEN.exec(token)?.[1];

/** When a token that is made now expires. */
export const tokenExpiry = (now: Date, tokenTtlD: number): Date => new Date(now.getTime() + tokenTtlD * DAY_MS);
