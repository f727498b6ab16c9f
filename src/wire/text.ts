import { z } from 'zod';
import { problemOfShownName } from '#lib/text/display-name.ts';
import { isStorable, verbatim } from '#lib/text/input.ts';
import { plainUrl } from '#lib/text/parse.ts';

/** Text from a client, not empty, bounded, and storable. It was trimmed before, in `http/validation.ts`. */
export const text = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine(isStorable, { error: 'holds a character that is not allowed' });

/** A secret that somebody sends, as it was written: it is compared by its digest. */
export const secret = verbatim(z.string())
  .refine((given) => given.trim() !== '', { error: 'must not be empty' })
  .refine(isStorable, { error: 'holds a character that is not allowed' });

/** A name that other people are shown: no control or formatting character, nothing that opens markup. */
export const shownName = (max: number) =>
  text(max).regex(/^[^\p{Cc}\p{Cf}<>]+$/u, 'holds a character that is not allowed');

/** The name of a partner or a merchant, which stands where people decide whom they trust. */
export const trustedName = (max: number) =>
  shownName(max).superRefine((name, context) => {
    const problem = problemOfShownName(name);
    if (problem !== undefined) context.addIssue(problem);
  });

/** An optional member. What else than absence counts as absent is said where shapes are compiled, in `http/validation.ts`. */
export const optional = <Shape extends z.ZodType>(shape: Shape) => shape.optional();

/** An optional id that is a number: 0 and less count as absent, since a number that nobody set is 0 in many languages. */
export const optionalIntegerId = z.preprocess(
  (id) => (Number.isInteger(id) && Number(id) <= 0 ? undefined : id),
  z.int().min(1).optional(),
);

/** An http or https address without userinfo, written as it is read: it is kept as it was given. */
export const webUrl = text(2048)
  .regex(/^[\x21-\x7e]+$/, { error: 'must be an http or https URL', abort: true })
  .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
    error: 'must be an http or https URL',
    abort: true,
  })
  .refine((value) => new URL(value).username === '' && new URL(value).password === '', {
    error: 'must not hold a user name or password',
    abort: true,
  })
  .refine((value) => plainUrl(value) !== undefined, {
    error: ({ input }) =>
      `must be written as it is read, ${URL.parse(String(input))?.href ?? 'e.g. https://shop.example/cb'}`,
  });

/** An e-mail address, trimmed. */
export const emailAddress = text(254).pipe(z.email('must be an e-mail address'));

/** A name that its owner gives, by which a thing is read: no URL can hold one of these, since `.` and `..` are steps of its path. */
const canStandInPath = (name: string): boolean => name !== '.' && name !== '..';
const NO_PATH = 'must not be . or .., which no URL can name';

/** A name for an operation, unique among its owner's for ever. */
export const reference = text(100)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .refine(canStandInPath, NO_PATH);

/** An application's own id for one of its subjects. */
export const externalId = text(200).refine(canStandInPath, NO_PATH);

/** Why somebody does what is written to the audit log. */
export const reason = text(500);

/** The same, where the change says enough by itself. */
export const optionalReason = optional(reason);
