import { z } from 'zod';
import { optional, text } from './text.ts';

/** Which of its subjects an application means: by our name for it, or by its own. */
export const subjectChoice = {
  subjectId: optional(z.uuid()),
  externalId: optional(text(200)).meta({ description: 'In place of subjectId' }),
};
