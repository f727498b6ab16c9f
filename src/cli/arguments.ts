import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';

/** The actor that the audit log names for what a command did. */
export const ACTOR = 'cli';

/**
 * A parser of an argument for commander, which accepts what the operator API accepts.
 *
 * @param shape the shape by which the operator API reads it
 * @param convert turns the text of the command line into what the shape expects, e.g. a number
 * @throws InvalidArgumentError (the parser) with the shape's own words
 */
export const parseWith =
  <Shape extends z.ZodType>(shape: Shape, convert: (text: string) => unknown = (text) => text) =>
  (text: string): z.output<Shape> => {
    const parsed = shape.safeParse(convert(text));
    if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'is not valid');
    return parsed.data;
  };

/** A plain decimal number; NaN for other notations (`1e3`, `0x10`) and for more digits than a number holds exactly. */
export const plainNumber = (text: string): number => (/^\d{1,13}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN);

/** Prints an answer as indented JSON. */
export const print = (answer: unknown): void => console.log(JSON.stringify(answer, null, 2));
