import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';

/** Who did it, in the audit log. */
export const ACTOR = 'cli';

/** An argument read by the shape that the operator API reads it with. */
export const readAs =
  <Shape extends z.ZodType>(shape: Shape, raw: (given: string) => unknown = (given) => given) =>
  (given: string): z.output<Shape> => {
    const read = shape.safeParse(raw(given));
    if (!read.success) throw new InvalidArgumentError(read.error.issues[0]?.message ?? 'is not valid');
    return read.data;
  };

/** A number as plain decimal text: nothing else that JavaScript would take for one, and nothing it would round. */
export const plainNumber = (given: string): number =>
  /^\d{1,13}(\.\d{1,2})?$/.test(given) ? Number(given) : Number.NaN;

export const print = (answer: unknown): void => console.log(JSON.stringify(answer, null, 2));
