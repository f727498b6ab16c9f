import { z } from 'zod';
import { maskEmail, maskName, maskNumber, maskProse, maskText, maskValues } from '#lib/text/output.ts';

/** How members of records that nothing else describes are masked, by their names; all others as prose. */
const byName: Readonly<Record<string, (text: string) => string>> = {
  accountName: maskName,
  accountNumber: maskNumber,
  address: maskText,
  bvn: maskNumber,
  comment: maskText,
  dateOfBirth: maskText,
  description: maskText,
  email: maskEmail,
  firstName: maskName,
  lastName: maskName,
  name: maskName,
  nuban: maskNumber,
  phone: maskNumber,
  phoneNumber: maskNumber,
  sender: maskName,
  senderName: maskName,
  title: maskText,
};

const masks = {
  name: maskName,
  number: maskNumber,
  email: maskEmail,
  /** Text of customers, partners and rails. */
  text: maskText,
  /** Text of operators. */
  prose: maskProse,
} satisfies Record<string, (text: string) => string>;

const maskRecord = (value: unknown): unknown =>
  maskValues(value, (text, name) => (byName[name.replace(/^\w/, (first) => first.toLowerCase())] ?? maskProse)(text));

/** What is hidden: what says who somebody is, or what signs for somebody. */
export type Hidden = 'personal' | 'credential';

const kept = z.registry<{ hidden: Hidden; mask: (value: unknown) => unknown }>();

/**
 * Marks personal data in an answer, so that it is masked for callers who may not see it. To be put around a shape last:
 * what zod makes of a shape (`.meta`, `.extend`) is another shape; `.optional()` may follow.
 *
 * @param as what it is; `record` for members of our own under any names, `values` for those of others
 */
export function personal<Shape extends z.ZodType>(shape: Shape, as: keyof typeof masks | 'record' | 'values'): Shape {
  const mask = as === 'record' ? maskRecord : as === 'values' ? hideValues : maskString(masks[as]);
  kept.add(shape, { hidden: 'personal', mask });
  return shape;
}

/** Marks a part of somebody's credentials that an answer shows, in the same way: its last four characters stay. */
export function credential<Shape extends z.ZodType>(shape: Shape): Shape {
  kept.add(shape, { hidden: 'credential', mask: maskString(maskNumber) });
  return shape;
}

const hideValues = (value: unknown): unknown => maskValues(value, maskText);

const maskString =
  (mask: (text: string) => string) =>
  (value: unknown): unknown =>
    typeof value === 'string' ? mask(value) : value;

/** A value, with what its shape marks as one of these masked. */
export function maskMarked(shape: z.core.$ZodType, value: unknown, hidden: readonly Hidden[]): unknown {
  if (value === undefined || value === null) return value;
  const mark = kept.get(shape as z.ZodType);
  if (mark !== undefined) return hidden.includes(mark.hidden) ? mark.mask(value) : value;
  const { def } = (shape as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return isRecord(value) ? maskMembers(def.shape, value, hidden) : value;
    case 'array':
      return Array.isArray(value) ? value.map((item) => maskMarked(def.element, item, hidden)) : value;
    case 'record':
      return isRecord(value) ? mapValues(value, (inner) => maskMarked(def.valueType, inner, hidden)) : value;
    case 'union':
      return def.options.reduce<unknown>((masked, option) => maskMarked(option, masked, hidden), value);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return maskMarked(def.innerType, value, hidden);
    default:
      return value;
  }
}

const maskMembers = (
  shape: Readonly<Record<string, z.core.$ZodType>>,
  value: Record<string, unknown>,
  hidden: readonly Hidden[],
) =>
  Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const own = shape[name];
      return [name, own === undefined ? inner : maskMarked(own, inner, hidden)];
    }),
  );

const mapValues = (value: Record<string, unknown>, map: (inner: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, map(inner)]));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
