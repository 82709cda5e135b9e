import { actorOf, type Context, member, open } from '#server/http/procedures.ts';
import { fail } from '#server/lib/fail.ts';
import { type AuthRequest, meOf, renewSession, type SignedIn, signIn, signOut, signUp } from './auth.service.ts';
import { linkAdmin, linkForumUser } from './linking.service.ts';
import { viewerById } from './viewer.service.ts';

const requestOf = (context: Context): AuthRequest => ({
  db: context.db,
  auth: context.auth,
  headers: context.headers,
  address: context.address,
  now: context.now(),
});
const setCookies = (context: Context, cookies: string[]) => {
  for (const cookie of cookies) context.resHeaders.append('set-cookie', cookie);
};

async function welcome(context: Context, { userId, cookies }: SignedIn) {
  setCookies(context, cookies);
  return meOf((await viewerById(context.db, userId)) ?? fail('UNAUTHORIZED'));
}

export const authApi = {
  me: open.auth.me.handler(async ({ context }) => {
    const viewer = await context.viewer();
    if (!viewer) return null;
    setCookies(context, await renewSession(requestOf(context), viewer));
    return meOf(viewer);
  }),
  signUp: open.auth.signUp.handler(async ({ input, context }) =>
    welcome(context, await signUp(requestOf(context), input)),
  ),
  signIn: open.auth.signIn.handler(async ({ input, context }) =>
    welcome(context, await signIn(requestOf(context), actorOf(context, null), input)),
  ),
  signOut: open.auth.signOut.handler(async ({ context }) => {
    const viewer = await context.viewer();
    setCookies(context, await signOut(requestOf(context), actorOf(context, viewer), viewer));
    return { ok: true as const };
  }),
  linkAdmin: member.auth.linkAdmin.handler(async ({ input, context }) => {
    await linkAdmin(context.db, context.actor, context.me, input.email, context.now());
    return meOf((await viewerById(context.db, context.me.id)) ?? fail('UNAUTHORIZED'));
  }),
  linkForumUser: member.auth.linkForumUser.handler(async ({ input, context }) => {
    await linkForumUser(context.db, context.actor, context.me, input.forumUserId, context.now());
    return meOf((await viewerById(context.db, context.me.id)) ?? fail('UNAUTHORIZED'));
  }),
};
