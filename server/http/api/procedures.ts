import { implement, type MiddlewareNextFn, type MiddlewareResult } from '@orpc/server';
import { contract } from '#contract/index.ts';
import { STEP_UP_MINUTES } from '#contract/limits.ts';
import { actorOf, type Context } from '#server/http/context.ts';
import type { Actor } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { opensTo, requireStaff, type WithRights } from '#server/lib/staff-rights.ts';
import { needsPasskey, type Viewer } from '#server/lib/viewer.ts';
import { declares } from './guarantees.ts';

/** Anyone. */
export const open = implement(contract).$context<Context>();

/** Signed-in members; hands over the viewer and the actor for the audit. */
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

/** Members who proved password, code or passkey within the last minutes: for what would give an account away. */
export const provenMember = member.use(
  declares([`proof of the last ${STEP_UP_MINUTES} minutes`], async <Out>({ context, next }: Guarded<Out>) => {
    provedLately(context);
    return next();
  }),
);

type Signed = Context & { me: Viewer };
type Guarded<Out> = { context: Signed; next: MiddlewareNextFn<Out> };

/** Admins, before they have a second factor: only for the way to set it up. */
const adminWithoutMore = member.use(
  declares(['admin'], async <Out>({ context, next }: Guarded<Out>) => {
    if (!context.me.isAdmin) fail('FORBIDDEN');
    return next();
  }),
);

/**
 * Admins: an admin profile now, read with this request, a password of their own, a second factor where the installation asks for it, and
 * a staff role that the procedure is open to, as the contract says it there. Where it names none only owners pass.
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

/** Admins who proved password or second factor within the last minutes: for what hurts most when a screen is left open. */
const provenAdminGuard = adminGuard.use(
  declares([`proof of the last ${STEP_UP_MINUTES} minutes`], async <Out>({ context, next }: Guarded<Out>) => {
    provedLately(context);
    return next();
  }),
);

// The three guards of the back office open its part of the contract only.
export const newAdmin = adminWithoutMore.admin;
export const admin = adminGuard.admin;
export const provenAdmin = provenAdminGuard.admin;

/** Staff that may not act as such before the second factor is set up: a passkey where that is asked for. */
export const lacksSecondFactor = (
  context: Pick<Context, 'staffSecondFactor' | 'staffPasskey'>,
  viewer: Viewer,
): boolean =>
  context.staffSecondFactor &&
  viewer.role !== 'user' &&
  !(needsPasskey(context, viewer) ? viewer.hasPasskey : viewer.hasSecondFactor);

/** What staff has to do before it may act as such; null: nothing. */
export const notReady = (
  context: Pick<Context, 'staffSecondFactor' | 'staffPasskey'>,
  viewer: Viewer,
): 'PASSWORD_INITIAL' | 'SECOND_FACTOR_REQUIRED' | null =>
  viewer.passwordDue ? 'PASSWORD_INITIAL' : lacksSecondFactor(context, viewer) ? 'SECOND_FACTOR_REQUIRED' : null;

/** @throws STEP_UP_NEEDED when the last proof of password, code or passkey is older than that. */
export function provedLately({ now, me }: Pick<Signed, 'now' | 'me'>): void {
  if (now().getTime() - me.provedAt.getTime() > STEP_UP_MINUTES * 60_000) fail('STEP_UP_NEEDED');
}
