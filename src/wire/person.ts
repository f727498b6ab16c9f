import { z } from 'zod';
import { emailAddress, text } from './text.ts';

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
