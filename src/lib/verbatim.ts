import { z } from 'zod';

const shapes = z.registry<{ isVerbatim: true }>();

/** Marks text that is judged as it was written: the blanks around a password are part of it. Other text is trimmed first. */
export const verbatim = <Shape extends z.ZodType>(shape: Shape): Shape => {
  shapes.add(shape, { isVerbatim: true });
  return shape;
};

/** Whether a shape, or one that it was made of by further checks, was marked. */
export const isVerbatim = (shape: z.core.$ZodType): boolean => shapes.get(shape)?.isVerbatim === true;
