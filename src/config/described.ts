import { z } from 'zod';
import { type VariableName, variables } from './variables.ts';

const shapes: Readonly<Record<string, z.ZodType>> = variables.shape;
/** A value that no variable takes: each refuses it by saying what it takes. */
const NEVER_VALID = '\u0000';

export const variableNames = Object.keys(shapes) as VariableName[];

/** What a variable is for. */
export const purposeOf = (name: VariableName): string => shapes[name]?.description ?? '';

/** What a variable takes. */
export function validOf(name: VariableName): string {
  const refused = variables.shape[name].safeParse(NEVER_VALID);
  if (refused.success) return 'text';
  return (refused.error.issues[0]?.message ?? '').replace(/^must (be|have) /, '');
}

/** The default of a variable as it would be given, in every environment: empty for none, undefined for one that must be given. */
export function defaultTextOf(name: VariableName): string | undefined {
  const shape = shapes[name];
  const given = shape instanceof z.ZodPipe && shape.in instanceof z.ZodDefault ? shape.in : shape;
  if (given instanceof z.ZodDefault) return asGiven(given.def.defaultValue);
  return given?.isOptional() ? '' : undefined;
}

/** Amounts are kept in kobo. */
const asGiven = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : typeof value === 'bigint' ? String(Number(value) / 100) : String(value);
