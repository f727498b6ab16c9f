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

/** An optional id that is a number: 0 and less count as absent, since an unset number is 0 in many languages. */
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

/** The same, optional where the change is self-explanatory. */
export const optionalReason = optional(reason);

const CHARACTERS_MAX = 4096;

/** So that code that walks through it later, comparing or copying, has enough stack. */
const LEVELS_MAX = 32;

/** Whether no value in it lies deeper than so many levels. */
const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1)));

/** Free-form members that a client keeps with a record: an object, bounded as it would be written in JSON. */
export const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => isWithin(value, LEVELS_MAX), {
    error: `must be nested at most ${LEVELS_MAX} levels deep`,
    abort: true,
  })
  .refine((value) => JSON.stringify(value).length <= CHARACTERS_MAX, {
    error: `must have at most ${CHARACTERS_MAX} characters as JSON`,
  });

/** The same members in an answer or an event, as they were stored. */
export const metadataOut = z.record(z.string(), z.unknown());

/** A bank verification number. */
export const bvn = z
  .string()
  .regex(/^\d{11}$/, 'must be 11 digits')
  .meta({ example: '22212345678' });

/** One of a person's names. */
export const personName = text(100).meta({
  description: 'Letters, spaces, apostrophes, hyphens and periods',
});

/** Another name of a new customer. */
export const customerOtherName = text(100).meta({
  description:
    'As a name; shown in the name if the register holds it for the BVN, in the sandbox any but Unregistered, and kept otherwise',
});

/** A phone that has to be the register's. */
export const registeredPhone = text(40).meta({
  description:
    'A mobile number that the register holds for the BVN, of Nigeria where it names no country (also 00234… and tel:+234…); in the sandbox any but those ending in 0000',
  example: '08031234567',
});

/** An e-mail address of a new customer. */
export const customerEmail = emailAddress.meta({
  description:
    'Takes codes and statements if the register holds it for the BVN, in the sandbox any but those at unregistered.example; another is kept and shown, and takes neither until it is proven',
  example: 'ada@example.com',
});

/** A past day, which the room of customers reads. */
export const dateOfBirth = text(40).meta({
  description:
    'YYYY-MM-DD or 1990/05/17, or day first: 17-05-1990, 17/05/1990, 17.05.1990, 17-May-1990. Of a date-time with an offset its day in Africa/Lagos, without one its date',
  example: '1990-05-17',
});
