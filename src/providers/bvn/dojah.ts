import { z } from 'zod';
import { NoAnswer, type ProviderAnswer, type ProviderClient, unusableBecause } from '../http-client.ts';
import { type BvnProvider, BvnProviderDown, type BvnVerdict } from './port.ts';

const match = z.object({ status: z.boolean() });
/** All that is read of an answer. Anything else in it, e.g. a photo, is dropped here. */
const answerShape = z.object({
  entity: z.object({
    bvn: match.extend({ value: z.string().optional() }),
    first_name: match.optional(),
    last_name: match.optional(),
    dob: match.optional(),
    date_of_birth: match.optional(),
  }),
});
const refusalShape = z.object({ error: z.string() });
const UNKNOWN_BVN = /^(?=.*\b(bvn|records?)\b)(?=.*\b(not found|invalid|wrong|not exist)\b)/i;

/**
 * Dojah's "Validate BVN": we send what a person says of themselves, and it answers which parts are true. Each call costs
 * money, so none is repeated.
 *
 * @see https://docs.dojah.io/docs/nigeria/validate-bvn
 */
export function dojahBvn(
  client: ProviderClient,
  { appId, secretKey }: { appId: string; secretKey: string },
): BvnProvider {
  return {
    async verify({ bvn, firstName, lastName, dateOfBirth }) {
      const query = { bvn, first_name: firstName, last_name: lastName };
      const answer = await client
        .ask({
          method: 'GET',
          path: '/api/v1/kyc/bvn',
          query: dateOfBirth === undefined ? query : { ...query, dob: dateOfBirth },
          headers: { appid: appId, authorization: secretKey },
        })
        .catch((cause: unknown) => {
          throw cause instanceof NoAnswer ? new BvnProviderDown(`Dojah: ${cause.message}`, { cause }) : cause;
        });
      const verdict = verdictOf(answer, { bvn, asksForBirthDate: dateOfBirth !== undefined });
      if (verdict === undefined) throw new BvnProviderDown(`Dojah: ${unusableBecause(answer)}`);
      return verdict;
    },
  };
}

/** Undefined when the answer is not as documented, or leaves out something that we asked it to compare. */
function verdictOf(
  { status, body }: ProviderAnswer,
  asked: { bvn: string; asksForBirthDate: boolean },
): BvnVerdict | undefined {
  const refusal = refusalShape.safeParse(body);
  if ((status === 400 || status === 404) && refusal.success && UNKNOWN_BVN.test(refusal.data.error)) return 'not-found';
  const answer = answerShape.safeParse(body);
  if (status !== 200 || !answer.success) return undefined;
  const { bvn, first_name, last_name, dob, date_of_birth } = answer.data.entity;
  if ((bvn.value ?? asked.bvn) !== asked.bvn) return undefined;
  if (!bvn.status) return 'not-found';
  const compared = [first_name, last_name, ...(asked.asksForBirthDate ? [dob ?? date_of_birth] : [])];
  if (compared.some((each) => each?.status === false)) return 'mismatch';
  return compared.every((each) => each !== undefined) ? 'verified' : undefined;
}
