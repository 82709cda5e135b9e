import type { AccountContext } from '#server/domains/account/second-factor/second-factor.service.ts';
import { setCookies } from '#server/domains/auth/sign-in-response.service.ts';
import type { Context } from '#server/http/context.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { Viewer } from '#server/lib/viewer.ts';

/** The part of a request's context that the functions on the member's own account use. */
export const accountContext = (context: Context & { me: Viewer; actor: Actor }): AccountContext => ({
  db: context.db,
  jobs: context.jobs,
  secret: context.secret,
  viewer: context.me,
  actor: context.actor,
  auth: context.auth,
  publicUrl: context.publicUrl,
  siteName: context.settings.site().name,
  staffPasskey: context.staffPasskey,
  setCookies: (cookies) => setCookies(context, cookies),
  now: context.now(),
});
