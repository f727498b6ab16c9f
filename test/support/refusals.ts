import type { Answer } from './app.ts';

/** The id of nothing. */
export const NOBODY = '00000000-0000-7000-8000-000000000000';

/** How an answer refuses. */
export const refusalOf = (answer: Answer): [status: number, errorCode: string] => [
  answer.statusCode,
  answer.json<{ errorCode: string }>().errorCode,
];
