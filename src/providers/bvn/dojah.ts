import { z } from 'zod';
import { holdsNames, nameWords } from '#lib/text/name-match.ts';
import { toCalendarDay, toMobileNumber } from '#lib/text/parse.ts';
import { NoAnswer, type ProviderAnswer, type ProviderClient, unusableBecause } from '../http-client.ts';
import { type BvnClaim, type BvnProvider, BvnProviderDown, type BvnVerdict } from './port.ts';

const text = z.string().max(300);
/** All that is read of an answer. Anything else in it, e.g. a photo, is dropped here. */
const answerShape = z.object({
  entity: z.object({
    bvn: text,
    first_name: text,
    middle_name: text.nullish(),
    last_name: text,
    date_of_birth: text.nullish(),
    phone_number1: text.nullish(),
    phone_number2: text.nullish(),
    email: text.nullish(),
  }),
});
type Registered = z.output<typeof answerShape>['entity'];

const refusalShape = z.object({ error: z.string() });
const UNKNOWN_BVN = /^(?=.*\b(bvn|records?)\b)(?=.*\b(not found|invalid|wrong|not exist)\b)/i;

/**
 * Dojah's "Lookup BVN Advanced": it answers what the register holds for a BVN, and we compare. Its "Validate BVN" compares
 * names and date, and neither phone nor e-mail. Each call costs money, so none is repeated.
 *
 * @see https://docs.dojah.io/docs/nigeria/lookup-bvn
 */
export function dojahBvn(
  client: ProviderClient,
  { appId, secretKey }: { appId: string; secretKey: string },
): BvnProvider {
  return {
    comparesPhones: true,
    async verify(claim) {
      const answer = await client
        .ask({
          method: 'GET',
          path: '/api/v1/kyc/bvn/advance',
          query: { bvn: claim.bvn },
          headers: { appid: appId, authorization: secretKey },
        })
        .catch((cause: unknown) => {
          throw cause instanceof NoAnswer ? new BvnProviderDown(`Dojah: ${cause.message}`, { cause }) : cause;
        });
      const verdict = verdictOf(answer, claim);
      if (verdict === undefined) throw new BvnProviderDown(`Dojah: ${unusableBecause(answer)}`);
      return verdict;
    },
  };
}

/** Undefined when the answer is not as documented, speaks of another BVN, or leaves out a date that has to be compared. */
function verdictOf({ status, body }: ProviderAnswer, claim: BvnClaim): BvnVerdict | undefined {
  const refusal = refusalShape.safeParse(body);
  if ((status === 400 || status === 404) && refusal.success && UNKNOWN_BVN.test(refusal.data.error)) {
    return { outcome: 'not-found' };
  }
  const answer = answerShape.safeParse(body);
  if (status !== 200 || !answer.success) return undefined;
  const registered = answer.data.entity;
  if (registered.bvn !== claim.bvn) return undefined;

  const dateOfBirth = toCalendarDay(registered.date_of_birth ?? '');
  if (claim.dateOfBirth !== undefined && dateOfBirth === undefined) return undefined;
  const phones = [registered.phone_number1, registered.phone_number2]
    .map((phone) => toMobileNumber(phone ?? ''))
    .filter((phone) => phone !== undefined);
  const isTheirs =
    isNamed(registered, claim) &&
    (claim.dateOfBirth === undefined || dateOfBirth === claim.dateOfBirth) &&
    (claim.phone === undefined || phones.includes(claim.phone));
  if (!isTheirs) return { outcome: 'mismatch' };
  return {
    outcome: 'verified',
    phone: claim.phone ?? phones[0],
    holdsOtherName: claim.otherName !== undefined && isNamed(registered, claim, claim.otherName),
    holdsEmail: claim.email !== undefined && folded(registered.email ?? '') === folded(claim.email),
  };
}

function isNamed(
  { first_name, middle_name, last_name }: Registered,
  { firstName, lastName }: BvnClaim,
  ...others: string[]
): boolean {
  const words = [first_name, middle_name ?? '', last_name].flatMap(nameWords);
  return holdsNames(words, [firstName, lastName, ...others].map(nameWords));
}

const folded = (email: string): string => email.trim().toLowerCase();
