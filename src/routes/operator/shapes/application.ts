import { z } from 'zod';
import { type ApplicationForOperator, applicationStatuses } from '#modules/applications';
import { momentOut } from '#wire/moment.ts';

export const applicationParams = z.object({ id: z.uuid() });
export const applicationStatus = z.enum(applicationStatuses);

export const operatedApplicationShape = z.object({
  id: z.uuid(),
  name: z.string(),
  namespace: z.string(),
  clientId: z.string(),
  email: z.string().optional(),
  imageUrl: z.string().optional(),
  status: applicationStatus,
  previousSecretUntil: momentOut.optional(),
  createdAt: momentOut,
});

export const toOperatedApplication = (
  application: ApplicationForOperator,
): z.input<typeof operatedApplicationShape> => ({
  ...application,
  previousSecretUntil: application.previousSecretUntil?.toISOString(),
  createdAt: application.createdAt.toISOString(),
});
