import { z } from 'zod';
import { emailAddress, optional, text, webUrl } from '#wire/text.ts';

export const bvn = z
  .string()
  .regex(/^\d{11}$/, 'must be 11 digits')
  .meta({ example: '22212345678' });

/** A new customer. Phone, date and tag are read by the rules of the rooms that keep them. */
export const payTagBody = z.object({
  firstName: text(100),
  lastName: text(100),
  otherName: optional(text(100)),
  email: optional(emailAddress),
  phone: text(40),
  bvn,
  dateOfBirth: optional(text(40)),
  imageUrl: optional(webUrl),
  address: optional(text(500)),
  tag: text(40),
});
