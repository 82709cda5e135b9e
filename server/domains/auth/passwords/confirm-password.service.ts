import type { MiddlewareNextFn, MiddlewareResult } from '@orpc/server';
import { LIMITS, STEP_UP_MINUTES } from '#contract/limits.ts';
import { declares } from '#server/http/api/guarantees.ts';
import { requireStepUp } from '#server/http/api/procedures.ts';
import type { Context } from '#server/http/context.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { provePassword } from './password.service.ts';

const { passwordProofHour: limit } = LIMITS;

/**
 * Guard of a procedure: the caller has to provide the member's password with the call.
 *
 * @throws WRONG_PASSWORD, RATE_LIMITED
 */
export const confirmsPassword = <In>(passwordOf: (input: In) => string) =>
  declares(
    ['password', `limit proof: ${limit.hits} in ${limit.seconds} s for each member`],
    async <Out>(
      { context, next }: { context: Context & { me: Viewer }; next: MiddlewareNextFn<Out> },
      input: In,
    ): Promise<MiddlewareResult<Record<never, never>, Out>> => {
      await provePassword(context.db, context.me.id, passwordOf(input), limit, context.now());
      return next();
    },
  );

/**
 * Guard, after `confirmsPassword`: a member with a second factor also needs a recent step-up, which is by a code or passkey for them. So a
 * stolen session and the password are not enough.
 *
 * @throws STEP_UP_NEEDED
 */
export const confirmsSecondFactor = declares(
  [`with a second factor: proof of the last ${STEP_UP_MINUTES} minutes`],
  async <Out>({
    context,
    next,
  }: {
    context: Context & { me: Viewer };
    next: MiddlewareNextFn<Out>;
  }): Promise<MiddlewareResult<Record<never, never>, Out>> => {
    if (context.me.hasSecondFactor) requireStepUp(context.me);
    return next();
  },
);
