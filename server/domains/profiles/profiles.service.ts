import { eq } from 'drizzle-orm';
import {
  BADGE_STEPS,
  type BadgeKind,
  FOLLOWS_SHOWN,
  type Profile,
  type ProfileSettings,
} from '#contract/domains/profiles.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { profileSettings } from '#server/db/tables/profiles.ts';
import { resolveRefs, savedList } from '#server/domains/saved/saved.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { readProfile, readProven, readVoting, readWriting } from './profiles.sql.ts';

const NOTHING: ProfileSettings = { showPage: false, showVotes: false, showFollows: false, showCreated: false };

/**
 * The public profile of a member: their public texts, and other data only as far as they chose. Their votes for candidates are
 * never shown.
 *
 * @throws NOT_FOUND for an unknown name, and for a member who neither has a visible text nor chose to have a page: the two can't be
 *   distinguished.
 */
export async function readPage(db: Reader, name: string): Promise<Profile> {
  const [found] = await readProfile(db, { name });
  if (!found) return fail('NOT_FOUND', { what: 'member' });
  const { id, memberId, showPage, showVotes, showFollows, showCreated, ...shown } = found;
  const [writing] = await readWriting(db, { profile: id, member: memberId });
  const { posts = 0, comments = 0, reactions = 0 } = writing ?? {};
  if (!showPage && posts + comments === 0) return fail('NOT_FOUND', { what: 'member' });
  const [voting] = memberId && showVotes ? await readVoting(db, { member: memberId }) : [];
  const proven = memberId && showCreated ? await readProven(db, { member: memberId, max: FOLLOWS_SHOWN }) : [];
  // Limited after the tokens that are not public are dropped: otherwise they could displace all public ones.
  const follows = memberId && showFollows ? await resolveRefs(db, await savedList(db, memberId)) : null;
  return {
    ...shown,
    voterSince: voting?.since ?? null,
    posts,
    comments,
    badges: badgesOf({
      writer: posts + comments,
      appreciated: reactions,
      voter: voting?.days ?? 0,
      picker: voting?.won ?? 0,
    }),
    created: await resolveRefs(
      db,
      proven.flatMap(({ kind, id }) => (id === null ? [] : [{ kind, id }])),
    ),
    follows: follows === null ? null : follows.slice(0, FOLLOWS_SHOWN),
  };
}

/** All badges of a member, also those that the public page shows only where they chose so. */
export async function badgesOfMember(
  db: Reader,
  { profile, member }: { profile: string; member: string },
): Promise<Profile['badges']> {
  const [writing] = await readWriting(db, { profile, member });
  const [voting] = await readVoting(db, { member });
  const { posts = 0, comments = 0, reactions = 0 } = writing ?? {};
  return badgesOf({
    writer: posts + comments,
    appreciated: reactions,
    voter: voting?.days ?? 0,
    picker: voting?.won ?? 0,
  });
}

/** Badges whose first level is reached, each with the highest one. */
export function badgesOf(counts: Record<BadgeKind, number>): Profile['badges'] {
  return (Object.keys(BADGE_STEPS) as BadgeKind[]).flatMap((badge) => {
    const count = counts[badge];
    const step = BADGE_STEPS[badge].filter((min) => count >= min).length;
    return step === 0 ? [] : [{ badge, step, count }];
  });
}

/** A member's choices of what their profile shows. */
export async function settingsOf(db: Reader, userId: string): Promise<ProfileSettings> {
  const [row] = await db
    .select({
      showPage: profileSettings.showPage,
      showVotes: profileSettings.showVotes,
      showFollows: profileSettings.showFollows,
      showCreated: profileSettings.showCreated,
    })
    .from(profileSettings)
    .where(eq(profileSettings.userId, userId));
  return row ?? NOTHING;
}

/** Stores the choices; idempotent. Cached pages are invalidated immediately. */
export async function setSettings(
  db: Db,
  actor: Actor & { id: string },
  input: Omit<ProfileSettings, 'showCreated'> & { showCreated?: boolean | undefined },
  now: Date,
): Promise<ProfileSettings> {
  return db.transaction(async (tx) => {
    await tx
      .insert(profileSettings)
      .values({ userId: actor.id, ...NOTHING, changedAt: now })
      .onConflictDoNothing();
    const [before] = await tx
      .select()
      .from(profileSettings)
      .where(eq(profileSettings.userId, actor.id))
      .for('no key update');
    const old = { ...NOTHING, ...before };
    const wanted: ProfileSettings = { ...input, showCreated: input.showCreated ?? old.showCreated };
    const changed = (Object.keys(NOTHING) as (keyof ProfileSettings)[]).filter((key) => old[key] !== wanted[key]);
    if (changed.length === 0) return wanted;
    await tx
      .update(profileSettings)
      .set({ ...wanted, changedAt: now })
      .where(eq(profileSettings.userId, actor.id));
    await publishChange(tx, 'forum');
    await audit(tx, actor, {
      action: 'profile.set',
      resourceType: 'member',
      resourceId: actor.id,
      before: Object.fromEntries(changed.map((key) => [key, old[key]])),
      after: Object.fromEntries(changed.map((key) => [key, wanted[key]])),
    });
    return wanted;
  });
}
