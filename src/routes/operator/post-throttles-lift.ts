import { z } from 'zod';
import { operatorOf } from '#http/auth/operator.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { tellOfLiftedLimit } from '#modules/alerts';
import { mayDo } from '#modules/operators';
import { idsOf, liftThrottle } from '#modules/throttles';
import { throttleId, throttleShape, toThrottle } from './shapes/throttle.ts';
import { statusAction } from './status-action.ts';

export function postThrottlesLift(
  app: ZodApp,
  deps: DepsOf<typeof liftThrottle> & DepsOf<typeof tellOfLiftedLimit>,
): void {
  app.post(
    '/throttles/:id/lift',
    {
      schema: {
        ...statusAction(z.object({ id: throttleId }), throttleShape, 'THROTTLE_NOT_FOUND', 'ROLE_REFUSED'),
        operationId: 'liftThrottle',
        summary: 'Let go what a limit refuses: its count begins from zero. Answers it as it was',
        description:
          'What holds operators back needs the role admin. What one’s own searches, reveals and exports have used up another admin lifts.',
      },
    },
    async (request) => {
      const { id, role } = operatorOf(request);
      const by = { id, actor: request.actor, isAdmin: mayDo(role, 'admin') };
      const lifted = await liftThrottle(deps, { id: request.params.id, by, reason: request.body.reason });
      await tellOfLiftedLimit(deps, { ids: idsOf(lifted), what: lifted.name });
      return toThrottle(lifted);
    },
  );
}
