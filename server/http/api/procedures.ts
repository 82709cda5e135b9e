import { implement, type MiddlewareNextFn, type MiddlewareResult } from '@orpc/server';
import { contract } from '#contract/index.ts';
import { STEP_UP_MINUTES } from '#contract/limits.ts';
import { actorOf, type Context } from '#server/http/context.ts';
import type { Actor } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { opensTo, requireStaff, type WithRights } from '#server/lib/staff-rights.ts';
import { needsPasskey, type Viewer } from '#server/lib/viewer.ts';
import { declares } from './guarantees.ts';

/** Open to everybody. */
export const open = implement(contract).$context<Context>();

/** For signed-in members; adds the viewer and the audit's actor to the context. */
export const member = open.use(
  declares(
    ['member'],
    async <Out>({
      context,
      next,
    }: {
      context: Context;
      next: MiddlewareNextFn<Out>;
    }): Promise<MiddlewareResult<{ me: Viewer; actor: Actor }, Out>> => {
      const viewer = await context.viewer();
      if (!viewer) return fail('UNAUTHORIZED');
      return next({ context: { me: viewer, actor: actorOf(context, viewer) } });
    },
  ),
);

/** For members with a recent step-up by password, code or passkey: for actions that could hand over an account. */
export const memberAfterStepUp = member.use(
  declares([`proof of the last ${STEP_UP_MINUTES} minutes`], async <Out>({ context, next }: Guarded<Out>) => {
    requireStepUp(context.me);
    return next();
  }),
);

type Signed = Context & { me: Viewer };
type Guarded<Out> = { context: Signed; next: MiddlewareNextFn<Out> };

/** For admins without a second factor: only for its setup. */
const adminWithoutMore = member.use(
  declares(['admin'], async <Out>({ context, next }: Guarded<Out>) => {
    if (!context.me.isAdmin) fail('FORBIDDEN');
    return next();
  }),
);

/**
 * For admins: a current admin profile, read with this request, a password of their own, a second factor when the installation
 * requires it, and a staff role that the contract names for the procedure. When it names none, only owners have access.
 */
const adminGuard = adminWithoutMore
  .use(
    declares(['second factor'], async <Out>({ context, next }: Guarded<Out>) => {
      const missing = notReady(context, context.me);
      if (missing) fail(missing);
      return next();
    }),
  )
  .use(
    declares(['staff role'], async <Out>({ context, next, procedure }: Guarded<Out> & { procedure: WithRights }) => {
      requireStaff(context.me, opensTo(procedure));
      return next();
    }),
  );

/** For admins with a recent step-up by password or second factor: for the actions with the greatest damage on an unattended screen. */
const adminAfterStepUpGuard = adminGuard.use(
  declares([`proof of the last ${STEP_UP_MINUTES} minutes`], async <Out>({ context, next }: Guarded<Out>) => {
    requireStepUp(context.me);
    return next();
  }),
);

// The three guards of the back office are limited to its part of the contract.
export const newAdmin = adminWithoutMore.admin;
export const admin = adminGuard.admin;
export const adminAfterStepUp = adminAfterStepUpGuard.admin;

/** True for staff without the required second factor: a passkey where that is required. */
export const lacksSecondFactor = (
  context: Pick<Context, 'staffSecondFactor' | 'staffPasskey'>,
  viewer: Viewer,
): boolean =>
  context.staffSecondFactor &&
  viewer.role !== 'user' &&
  !(needsPasskey(context, viewer) ? viewer.hasPasskey : viewer.hasSecondFactor);

/** The requirement that staff has to meet before acting as staff; null when there is none. */
export const notReady = (
  context: Pick<Context, 'staffSecondFactor' | 'staffPasskey'>,
  viewer: Viewer,
): 'PASSWORD_INITIAL' | 'SECOND_FACTOR_REQUIRED' | null =>
  viewer.passwordDue ? 'PASSWORD_INITIAL' : lacksSecondFactor(context, viewer) ? 'SECOND_FACTOR_REQUIRED' : null;

/** @throws STEP_UP_NEEDED when the last step-up by password, code or passkey is too old. */
export function requireStepUp(me: Pick<Viewer, 'hasRecentStepUp'>): void {
  if (!me.hasRecentStepUp) fail('STEP_UP_NEEDED');
}
