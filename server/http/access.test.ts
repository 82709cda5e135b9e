import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { type Answer, accessScenes, answerTo, type Column, NAMES, namesOf } from '#tests/support/access.ts';
import { authenticator } from '#tests/support/authenticator.ts';
import { COMPLETE } from '#tests/support/complete-draft.ts';
import { holdText } from '#tests/support/held-text.ts';
import { BECAUSE } from '#tests/support/removal.ts';
import { type Api, type Person, startTestApp } from '#tests/support/test-app.ts';

/**
 * Who may call what: the access matrix as a table, run for everybody. A procedure without a line here fails the test, so a
 * new one says first who may.
 */
// Without https passkeys need this name.
const app = await startTestApp({ publicUrl: 'http://localhost' });

const NOBODYS = '11111111-1111-4111-8111-111111111111';
const TOKEN = 'x'.repeat(43);
const { address, email, words, postBy, commentBy, candidate, votedBy, draftBy, submissionBy, PEOPLE } =
  accessScenes(app);
let serial = 0;
const tab = () => ({ sessionId: `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}` });

/** What a call finds: the caller, somebody else, and things that belong to either. */
interface Scene {
  me: Person | null;
  other: Person;
  /** The caller, or somebody else for visitors, who own nothing. */
  mine: Person;
}

const news = async (active: boolean): Promise<string> => {
  const [row] = await app.sql<{ id: string }>(
    `insert into news (title, content, is_active, published_at) values ($1, $1, $2, now()) returning id`,
    [words(), active],
  );
  return row?.id ?? '';
};
const otherSessionOf = async ({ id }: Person): Promise<string> => {
  const [row] = await app.sql<{ id: string }>(
    `insert into sessions (user_id, token, expires_at) values ($1, gen_random_uuid(), now() + interval '1 day') returning id`,
    [id],
  );
  return row?.id ?? '';
};
const invite = async ({ email: to }: { email: string }) => {
  await app.sql('insert into admin_users (email) values ($1) on conflict do nothing', [to]);
  return { email: to };
};
const prove = ({ id }: Person) => app.sql('update users set email_verified = true where id = $1', [id]);
const legacyProfile = async (of: string): Promise<{ forumUserId: string }> => {
  const [row] = await app.sql<{ id: string }>(
    'insert into forum_users (username, wallet_address, legacy_email) values ($1, $1, $2) returning id',
    [words(), of],
  );
  return { forumUserId: row?.id ?? '' };
};

interface Line {
  /** Row of the access matrix. */
  row: string;
  what: string;
  call: (api: Api, scene: Scene) => Promise<unknown>;
  visitor: Answer;
  member: Answer;
  /** As a member where nothing is said. */
  moderator?: Answer;
  admin?: Answer;
  /** A member without a forum profile; as a member where nothing is said. */
  bare?: Answer;
}

const free = (row: string, what: string, call: Line['call'], answer: Answer = 'ok'): Line => ({
  row,
  what,
  call,
  visitor: answer,
  member: answer,
});
const own = (row: string, what: string, call: Line['call'], more: Partial<Line> = {}): Line => ({
  row,
  what,
  call,
  visitor: 'UNAUTHORIZED',
  member: 'ok',
  ...more,
});

/** For moderators and admins. */
const STAFF = { member: 'FORBIDDEN', moderator: 'ok', admin: 'ok' } as const;
/** A comment of a member that waits for a review. */
const waiting = async (person: Person) => holdText(app, 'comment', await commentBy(person));

const TABLE: Record<string, Line[]> = {
  // Reading
  'projects.podium': [free('1', 'the Top 3', (api) => api.projects.podium())],
  'projects.list': [free('1', 'the projects', (api) => api.projects.list({}))],
  'nextProjects.list': [free('1', 'the NEXT projects', (api) => api.nextProjects.list({}))],
  'nextProjects.launches': [free('1', 'the launches', (api) => api.nextProjects.launches())],
  'ledger.state': [free('1', 'the state of the vote ledger', (api) => api.ledger.state())],
  'ledger.mine': [free('1', 'leaves of own votes; none for visitors', (api) => api.ledger.mine())],
  'ledger.receipt': [
    own('1', 'the receipt of a vote of somebody else', (api) => api.ledger.receipt({ voteId: 1 }), {
      member: 'NOT_FOUND',
    }),
  ],
  'market.prices': [
    free('1', 'the prices of a token', async (api) => api.market.prices({ kind: 'candidate', id: await candidate() })),
  ],
  'search.find': [free('1', 'everything public', (api) => api.search.find({ q: 'feria' }))],
  'news.list': [free('1', 'the news', (api) => api.news.list({}))],
  'news.byId': [
    free('1', 'a news item', async (api) => api.news.byId({ id: await news(true) })),
    free('2', 'a news item that is not public', async (api) => api.news.byId({ id: await news(false) }), 'NOT_FOUND'),
  ],
  'sitePages.read': [free('1', 'a page about the site', (api) => api.sitePages.read({ page: 'terms' }))],
  'deliverables.terms': [free('1', 'what plans promise', (api) => api.deliverables.terms())],
  'settings.notices': [free('1', 'what is announced', (api) => api.settings.notices())],
  'sitePages.contact': [free('1', 'the address for questions', (api) => api.sitePages.contact())],
  'ownership.mine': [
    own('9', 'what I can prove of a token', async (api) =>
      api.ownership.mine({ kind: 'candidate', id: await candidate() }),
    ),
  ],
  'ownership.start': [
    own(
      '9',
      "begin a proof of somebody's token",
      async (api) => api.ownership.start({ kind: 'candidate', id: await candidate(), method: 'dns' }),
      { member: 'NOT_CREATOR' },
    ),
  ],
  'ownership.check': [
    own('9', 'look for a proof that is not there', (api) => api.ownership.check({ id: NOBODYS }), {
      member: 'NOT_FOUND',
    }),
  ],
  'ownership.startWallet': [
    own(
      '9',
      "ask for a text about somebody's token",
      async (api) => api.ownership.startWallet({ kind: 'candidate', id: await candidate(), address: TOKEN }),
      { member: 'NOT_CREATOR' },
    ),
  ],
  'ownership.proveWallet': [
    own(
      '9',
      'prove by a text that nobody asked for',
      (api) => api.ownership.proveWallet({ nonce: TOKEN, signature: `0x${'0'.repeat(130)}` }),
      { member: 'WALLET_REFUSED' },
    ),
  ],
  'ownership.giveUp': [
    own('9', 'give up a proof that is not there', (api) => api.ownership.giveUp({ id: NOBODYS }), {
      member: 'NOT_FOUND',
    }),
  ],
  'networks.list': [free('1', 'the networks', (api) => api.networks.list())],
  'tokens.find': [
    free('1', 'a token', async (api) => api.tokens.find({ slug: await candidate() })),
    free(
      '2',
      'a candidate that is not active',
      async (api) => api.tokens.find({ slug: await candidate({ is_active: false }) }),
      'NOT_FOUND',
    ),
    free(
      '2',
      'a project that is not approved',
      async (api) => api.tokens.find({ slug: (await app.project({ status: 'pending' })).id }),
      'NOT_FOUND',
    ),
    free(
      '2',
      'a NEXT project that is not public',
      async (api) => api.tokens.find({ slug: (await app.nextProject({ is_active: false })).id }),
      'NOT_FOUND',
    ),
  ],
  'tokens.explore': [free('1', 'tokens of a list', (api) => api.tokens.explore({}))],
  'race.days': [free('1', 'the round by day', (api) => api.race.days())],
  'race.ranks': [free('1', 'places of a candidate', async (api) => api.race.ranks({ candidateId: await candidate() }))],
  'previews.read': [
    free('1', 'a link to a draft that nobody made', (api) => api.previews.read({ key: '0'.repeat(48) }), 'NOT_FOUND'),
  ],
  'race.ticket': [free('1', 'a ticket that nobody kept', (api) => api.race.ticket({ id: NOBODYS }), 'NOT_FOUND')],
  'race.keepTicket': [
    own(
      '1',
      'keep the ticket of a vote that I did not cast',
      async (api) => api.race.keepTicket({ candidateId: await candidate() }),
      { member: 'NO_VOTE' },
    ),
  ],
  'voting.ranking': [free('1', 'the ranking', (api) => api.voting.ranking({}))],
  'voting.history': [
    free('1', 'the days of a candidate', async (api) => api.voting.history({ candidateId: await candidate() })),
  ],
  'forum.posts': [free('1', 'the posts', (api) => api.forum.posts({}))],
  'forum.post': [
    free('1', 'a post', async (api, { other }) => api.forum.post({ id: await postBy(other) })),
    free(
      '3',
      'a hidden post',
      async (api, { other }) => api.forum.post({ id: await postBy(other, true) }),
      'NOT_FOUND',
    ),
  ],
  'forum.comments': [
    free('1', 'the comments', async (api, { other }) => api.forum.comments({ postId: await postBy(other) })),
    free(
      '3',
      'the comments of a hidden post',
      async (api, { other }) => api.forum.comments({ postId: await postBy(other, true) }),
      'NOT_FOUND',
    ),
  ],
  'forum.mine': [free('1', 'my part in posts', (api) => api.forum.mine({ postIds: [NOBODYS] }))],
  'forum.tags': [free('1', 'the tags in use', (api) => api.forum.tags({}))],
  'saved.resolve': [free('1', 'tokens behind references', (api) => api.saved.resolve({ refs: [] }))],
  'auth.me': [free('1', 'who I am', (api) => api.auth.me())],

  // Coming in and going
  'auth.signUp': [
    free('5', 'sign up', (api) => api.auth.signUp({ email: email(), password: 'six-or-more' })),
    free(
      '10',
      'sign up as a moderator',
      (api) => api.auth.signUp({ email: email(), password: 'six-or-more', role: 'moderator' } as never),
      'BAD_REQUEST',
    ),
  ],
  'auth.signIn': [
    free('5', 'sign in to nobody', (api) => api.auth.signIn({ email: email(), password: 'x' }), 'INVALID_CREDENTIALS'),
    free(
      '5',
      "sign in to somebody else's account",
      (api, { other }) => api.auth.signIn({ email: other.email, password: 'x' }),
      'INVALID_CREDENTIALS',
    ),
  ],
  'auth.signOut': [free('6', 'sign out', (api) => api.auth.signOut())],
  'account.requestPasswordReset': [
    free('7', 'ask for a new password', (api, { other }) =>
      api.account.requestPasswordReset({ email: other.email, locale: 'es' }),
    ),
  ],
  'account.resetPassword': [
    free(
      '7',
      "choose a password with somebody else's link",
      (api) => api.account.resetPassword({ token: TOKEN, password: 'new-password', locale: 'es' }),
      'TOKEN_REFUSED',
    ),
  ],
  'account.requestSignInCode': [
    free('7', 'ask for a code', (api, { other }) =>
      api.account.requestSignInCode({ email: other.email, locale: 'es' }),
    ),
  ],
  'account.signInWithCode': [
    free(
      '7',
      "sign in with somebody else's code",
      (api, { other }) => api.account.signInWithCode({ email: other.email, code: '123456' }),
      'WRONG_CODE',
    ),
  ],
  'account.provideSecondFactor': [
    free(
      '7',
      'do a second step that nobody began',
      (api) => api.account.provideSecondFactor({ code: '123456' }),
      'UNAUTHORIZED',
    ),
  ],
  'account.verifyEmail': [
    free('9', "confirm with somebody else's link", (api) => api.account.verifyEmail({ token: TOKEN }), 'TOKEN_REFUSED'),
  ],

  // My account
  'account.overview': [own('9', 'my account', (api) => api.account.overview())],
  'account.sessions': [own('8', 'my sessions', (api) => api.account.sessions())],
  'account.passkeys.list': [own('9', 'my passkeys', (api) => api.account.passkeys.list())],
  'account.passkeys.startAdding': [
    own('9', 'begin a passkey without a confirmed mailbox', (api) => api.account.passkeys.startAdding(), {
      member: 'FORBIDDEN',
    }),
  ],
  'account.passkeys.add': [
    own(
      '9',
      'add a passkey that nobody asked for',
      (api) => api.account.passkeys.add({ response: authenticator().create({ challenge: TOKEN }), name: 'x' }),
      { member: 'FORBIDDEN' },
    ),
  ],
  'account.passkeys.rename': [
    own('9', "name somebody's passkey", (api) => api.account.passkeys.rename({ id: NOBODYS, name: 'x' }), {
      member: 'NOT_FOUND',
    }),
  ],
  'account.passkeys.remove': [
    own('9', "remove somebody's passkey", (api) => api.account.passkeys.remove({ id: NOBODYS }), {
      member: 'NOT_FOUND',
    }),
  ],
  'account.passkeys.startProof': [
    own('9', 'begin a proof without a passkey', (api) => api.account.passkeys.startProof(), { member: 'NOT_FOUND' }),
  ],
  'account.passkeys.prove': [
    own(
      '9',
      'prove by an unknown passkey',
      (api) => api.account.passkeys.prove({ response: authenticator().sign({ challenge: TOKEN }) }),
      { member: 'PASSKEY_REFUSED' },
    ),
  ],
  'account.passkeys.startSignIn': [
    free('5', 'begin a sign-in by passkey', (api) => api.account.passkeys.startSignIn()),
  ],
  'account.passkeys.signIn': [
    free(
      '5',
      'sign in by an unknown passkey',
      (api) => api.account.passkeys.signIn({ response: authenticator().sign({ challenge: TOKEN }) }),
      'PASSKEY_REFUSED',
    ),
  ],
  'account.passkeys.startSecondStep': [
    free('5', 'begin a second step without a first', (api) => api.account.passkeys.startSecondStep(), 'UNAUTHORIZED'),
  ],
  'account.passkeys.secondStep': [
    free(
      '5',
      'a second step by passkey without a first',
      (api) => api.account.passkeys.secondStep({ response: authenticator().sign({ challenge: TOKEN }) }),
      'UNAUTHORIZED',
    ),
  ],
  'account.revokeSession': [
    own('8', 'end one of my sessions', async (api, { mine }) =>
      api.account.revokeSession({ id: await otherSessionOf(mine) }),
    ),
    own(
      '8',
      "end somebody else's session",
      async (api, { other }) => api.account.revokeSession({ id: await otherSessionOf(other) }),
      { member: 'NOT_FOUND' },
    ),
  ],
  'account.revokeOtherSessions': [own('8', 'end my other sessions', (api) => api.account.revokeOtherSessions())],
  'account.setUsername': [
    own('9', 'change my name', (api) => api.account.setUsername({ username: words() })),
    own(
      '10',
      'change my name and role',
      (api) => api.account.setUsername({ username: words(), role: 'admin' } as never),
      { member: 'BAD_REQUEST' },
    ),
    own(
      '10',
      "change somebody else's name",
      (api, { other }) => api.account.setUsername({ username: words(), userId: other.id } as never),
      { member: 'BAD_REQUEST' },
    ),
  ],
  'account.setPresence': [own('9', 'hide', (api) => api.account.setPresence({ hide: true }))],
  'account.sendVerification': [
    own('9', 'ask for the confirmation', (api) => api.account.sendVerification({ locale: 'es' })),
  ],
  'account.changeEmail': [
    own(
      '9',
      'change my e-mail without the password',
      (api) => api.account.changeEmail({ email: email(), password: 'guess', locale: 'es' }),
      { member: 'WRONG_PASSWORD' },
    ),
  ],
  'account.changePassword': [
    own(
      '9',
      'change my password without the present one',
      (api) => api.account.changePassword({ current: 'guess', next: 'new-password', locale: 'es' }),
      { member: 'WRONG_PASSWORD' },
    ),
  ],
  'account.prove': [
    own('9', 'prove again with a guess', (api) => api.account.prove({ password: 'guess' }), {
      member: 'WRONG_PASSWORD',
    }),
  ],
  'account.startSecondFactor': [
    own(
      '9',
      'set up a second factor without the password',
      (api) => api.account.startSecondFactor({ password: 'guess' }),
      { member: 'WRONG_PASSWORD' },
    ),
  ],
  'account.confirmSecondFactor': [
    own(
      '9',
      'confirm a second factor that was not begun',
      (api) => api.account.confirmSecondFactor({ code: '123456', locale: 'es' }),
      { member: 'WRONG_CODE' },
    ),
  ],
  'account.removeSecondFactor': [
    own(
      '9',
      'turn the second factor off without the password',
      (api) => api.account.removeSecondFactor({ password: 'guess', code: '123456', locale: 'es' }),
      { member: 'WRONG_PASSWORD' },
    ),
  ],
  'account.export': [own('9', 'my data', (api) => api.account.export())],
  'account.remove': [
    own('9', 'delete my account without the password', (api) => api.account.remove({ password: 'guess' }), {
      member: 'WRONG_PASSWORD',
    }),
  ],
  'auth.linkAdmin': [
    own('11', 'claim an invitation that is not there', (api, { mine }) => api.auth.linkAdmin({ email: mine.email }), {
      member: 'LINK_REFUSED',
    }),
    own(
      '11',
      'claim the invitation of somebody else',
      async (api, { other }) => api.auth.linkAdmin(await invite({ email: other.email })),
      { member: 'LINK_REFUSED' },
    ),
    own(
      '11',
      'claim my invitation without a proven mailbox',
      async (api, { mine }) => api.auth.linkAdmin(await invite(mine)),
      { member: 'LINK_REFUSED' },
    ),
    own('11', 'claim my invitation', async (api, { mine }) => {
      await prove(mine);
      return api.auth.linkAdmin(await invite(mine));
    }),
  ],
  'auth.linkForumUser': [
    own(
      '12',
      "claim somebody else's forum profile",
      async (api, { mine, other }) => {
        await prove(mine);
        return api.auth.linkForumUser({ forumUserId: other.id });
      },
      { member: 'LINK_REFUSED' },
    ),
    own(
      '12',
      'claim a legacy profile of another mailbox',
      async (api, { mine }) => {
        await prove(mine);
        return api.auth.linkForumUser(await legacyProfile(email()));
      },
      { member: 'LINK_REFUSED' },
    ),
    own('12', 'claim the legacy profile of my mailbox', async (api, { mine }) => {
      await prove(mine);
      return api.auth.linkForumUser(await legacyProfile(mine.email));
    }),
  ],

  // Votes
  'voting.cast': [
    own('22', 'vote', async (api) => api.voting.cast({ candidateId: await candidate() })),
    own(
      '22',
      'vote again the same day',
      async (api, { mine }) => api.voting.cast({ candidateId: await votedBy(mine) }),
      {
        member: 'ALREADY_VOTED',
      },
    ),
    own(
      '22',
      'vote as somebody else',
      async (api, { other }) => api.voting.cast({ candidateId: await candidate(), userId: other.id }),
      { member: 'FORBIDDEN' },
    ),
  ],
  'voting.withdraw': [
    own('23', 'take my vote back', async (api, { mine }) => api.voting.withdraw({ candidateId: await votedBy(mine) })),
    own(
      '23',
      'take back a vote that is not there',
      async (api) => api.voting.withdraw({ candidateId: await candidate() }),
      {
        member: 'NO_VOTE',
      },
    ),
    own(
      '23',
      "take back somebody else's vote",
      async (api, { other }) => api.voting.withdraw({ candidateId: await votedBy(other) }),
      { member: 'NO_VOTE' },
    ),
    own(
      '23',
      'take a vote back as somebody else',
      async (api, { other }) => api.voting.withdraw({ candidateId: await votedBy(other), userId: other.id }),
      { member: 'FORBIDDEN' },
    ),
  ],
  'voting.votedToday': [
    own('24', 'whether I voted', async (api) => api.voting.votedToday({ candidateId: await candidate() })),
    own(
      '24',
      'whether somebody else voted',
      async (api, { other }) => api.voting.votedToday({ candidateId: await candidate(), userId: other.id }),
      { member: 'FORBIDDEN' },
    ),
  ],
  'voting.uncounted': [free('24', 'my votes that do not count; none for visitors', (api) => api.voting.uncounted())],
  'voting.mine': [free('24', 'my votes of today', (api) => api.voting.mine())],

  // Forum
  'forum.create': [
    own('25', 'publish a post', (api) => api.forum.create({ title: words(), content: words() })),
    own(
      '25',
      'publish a post of somebody else',
      (api, { other }) => api.forum.create({ title: words(), content: words(), forum_user_id: other.id } as never),
      { member: 'BAD_REQUEST' },
    ),
  ],
  'forum.names': [own('25', 'names for a mention', (api) => api.forum.names({ q: 'ab' }))],
  'forum.history': [
    own(
      '28',
      'earlier versions of a text',
      async (api, { other }) => api.forum.history({ what: 'post', id: await postBy(other) }),
      { member: 'FORBIDDEN', moderator: 'ok', admin: 'ok' },
    ),
  ],
  'forum.comment': [
    own('26', 'comment', async (api, { other }) =>
      api.forum.comment({ postId: await postBy(other), content: words() }),
    ),
    own(
      '26',
      'comment on a hidden post',
      async (api, { other }) => api.forum.comment({ postId: await postBy(other, true), content: words() }),
      { member: 'NOT_FOUND' },
    ),
  ],
  'forum.react': [
    own(
      '27',
      'react',
      async (api, { other }) => api.forum.react({ postId: await postBy(other), emojiType: 'love', on: true }),
      { bare: 'FORBIDDEN' },
    ),
    own(
      '27',
      'take a reaction back',
      async (api, { other }) => api.forum.react({ postId: await postBy(other), emojiType: 'love', on: false }),
      { bare: 'FORBIDDEN' },
    ),
    own(
      '27',
      'react to a hidden post',
      async (api, { other }) => api.forum.react({ postId: await postBy(other, true), emojiType: 'love', on: true }),
      { member: 'NOT_FOUND', bare: 'FORBIDDEN' },
    ),
  ],
  'forum.editPost': [
    own('25', 'edit my post', async (api, { mine }) =>
      api.forum.editPost({ id: await postBy(mine), title: words(), content: words() }),
    ),
    own(
      '25',
      "edit somebody else's post",
      async (api, { other }) => api.forum.editPost({ id: await postBy(other), title: words(), content: words() }),
      { member: 'FORBIDDEN' },
    ),
  ],
  'forum.editComment': [
    own('26', 'edit my comment', async (api, { mine }) =>
      api.forum.editComment({ id: await commentBy(mine), content: words() }),
    ),
    own(
      '26',
      "edit somebody else's comment",
      async (api, { other }) => api.forum.editComment({ id: await commentBy(other), content: words() }),
      { member: 'FORBIDDEN' },
    ),
  ],
  'forum.deletePost': [
    own('28', 'delete my post', async (api, { mine }) => api.forum.deletePost({ id: await postBy(mine) })),
    own(
      '28',
      "delete somebody else's post",
      async (api, { other }) => api.forum.deletePost({ id: await postBy(other), ...BECAUSE }),
      {
        member: 'FORBIDDEN',
        moderator: 'ok',
        admin: 'ok',
      },
    ),
    own(
      '28',
      'delete a hidden post',
      async (api, { other }) => api.forum.deletePost({ id: await postBy(other, true), ...BECAUSE }),
      {
        member: 'NOT_FOUND',
      },
    ),
  ],
  'forum.deleteComment': [
    own('29', 'delete my comment', async (api, { mine }) => api.forum.deleteComment({ id: await commentBy(mine) })),
    own(
      '29',
      "delete somebody else's comment",
      async (api, { other }) => api.forum.deleteComment({ id: await commentBy(other), ...BECAUSE }),
      { member: 'FORBIDDEN', moderator: 'ok', admin: 'ok' },
    ),
  ],
  'forum.removalLog': [free('3', 'the log of removals', (api) => api.forum.removalLog({}))],
  'forum.myRemovals': [own('26', 'read my removed texts', async (api) => api.forum.myRemovals())],
  'forum.appeal': [
    own(
      '26',
      "appeal somebody else's removal",
      async (api) => api.forum.appeal({ id: '11111111-1111-4111-8111-111111111111', text: 'No es justo' }),
      { member: 'NOT_FOUND' },
    ),
  ],
  'forum.myReview': [own('26', 'my texts that wait', (api) => api.forum.myReview())],
  'forum.withdraw': [
    own('26', 'take back my text', async (api, { mine }) => api.forum.withdraw({ id: await waiting(mine) })),
    own(
      '26',
      "take back somebody else's text",
      async (api, { other }) => api.forum.withdraw({ id: await waiting(other) }),
      {
        member: 'NOT_FOUND',
      },
    ),
  ],
  'forum.reviewQueue': [own('28', 'what waits of everybody', (api) => api.forum.reviewQueue(), STAFF)],
  'forum.release': [
    own('28', 'release a text', async (api, { other }) => api.forum.release({ id: await waiting(other) }), STAFF),
    own('28', 'release my own text', async (api, { mine }) => api.forum.release({ id: await waiting(mine) }), {
      member: 'FORBIDDEN',
    }),
  ],
  'forum.decline': [
    own(
      '28',
      'decline a text',
      async (api, { other }) => api.forum.decline({ id: await waiting(other), ...BECAUSE }),
      STAFF,
    ),
  ],
  'forum.trust': [
    own(
      '28',
      'the level of a member',
      async (api) => api.forum.trust({ username: (await app.member()).username }),
      STAFF,
    ),
  ],
  'forum.setTrust': [
    own(
      '28',
      'set the level of a member',
      async (api) => api.forum.setTrust({ userId: (await app.member()).id, level: 2, reason: 'Conocida' }),
      STAFF,
    ),
    own(
      '28',
      'set my own level',
      (api, { mine }) => api.forum.setTrust({ userId: mine.id, level: 2, reason: 'Conocida' }),
      {
        member: 'FORBIDDEN',
      },
    ),
  ],
  'forum.undoTrust': [
    own(
      '28',
      'take back a change of a level',
      async (api) => api.forum.undoTrust({ userId: (await app.member()).id, changeId: NOBODYS, reason: 'Error' }),
      { member: 'FORBIDDEN', moderator: 'NOT_FOUND', admin: 'NOT_FOUND' },
    ),
  ],
  'forum.report': [
    own('26', "report somebody else's post", async (api, { other }) =>
      api.forum.report({ what: 'post', id: await postBy(other), reason: 'spam' }),
    ),
    own(
      '26',
      'report a hidden post',
      async (api, { other }) => api.forum.report({ what: 'post', id: await postBy(other, true), reason: 'spam' }),
      { member: 'NOT_FOUND' },
    ),
  ],

  // Presence
  ...Object.fromEntries(
    (['connect', 'heartbeat', 'disconnect'] as const).map((what) => [
      `presence.${what}`,
      [
        own('30', `${what} a tab`, (api) => api.presence[what](tab())),
        own(
          '30',
          `${what} a tab of somebody else`,
          (api, { other }) => api.presence[what]({ ...tab(), userId: other.id }),
          { member: 'FORBIDDEN' },
        ),
      ],
    ]),
  ),
  'presence.waiting': [free('31', 'how many wait for a launch', (api) => api.presence.waiting({ id: NOBODYS }))],
  'presence.online': [free('31', 'who is online', (api) => api.presence.online())],

  // Saved tokens: private, of members
  'profiles.page': [
    free('1', 'the page of nobody', (api) => api.profiles.page({ name: 'Nobody_At_All' }), 'NOT_FOUND'),
  ],
  'profiles.settings': [own('1', 'what I show of myself', (api) => api.profiles.settings())],
  'profiles.setSettings': [
    own('1', 'choose what I show of myself', (api) =>
      api.profiles.setSettings({ showPage: true, showVotes: false, showFollows: false }),
    ),
  ],
  'profiles.restrictions': [own('1', 'whom I muted or blocked', (api) => api.profiles.restrictions())],
  'profiles.restrict': [
    own('1', 'mute nobody', (api) => api.profiles.restrict({ name: 'Nobody_At_All', level: 'mute' }), {
      member: 'NOT_FOUND',
    }),
  ],
  'saved.list': [own('AMB-72', 'my saved tokens', (api) => api.saved.list())],
  'saved.notices': [own('AMB-72', 'my notices', (api) => api.saved.notices())],
  'saved.merge': [own('AMB-72', 'bring saved tokens along', (api) => api.saved.merge({ refs: [] }))],
  'saved.set': [
    own('AMB-72', 'save a token', async (api) =>
      api.saved.set({ kind: 'candidate', id: await candidate(), saved: true }),
    ),
  ],
  'saved.setNotice': [
    own(
      'AMB-72',
      'follow a token that I did not save',
      async (api) => api.saved.setNotice({ kind: 'candidate', id: await candidate(), on: true }),
      { member: 'NOT_FOUND' },
    ),
  ],

  // Notifications: private, of members
  'notifications.list': [own('AMB-72', 'my notifications', (api) => api.notifications.list({}))],
  'notifications.unread': [own('AMB-72', 'how many are unread', (api) => api.notifications.unread())],
  'notifications.markRead': [
    own('AMB-72', 'mark mine as read', (api) => api.notifications.markRead({ until: '2026-01-01T00:00:00Z' })),
  ],
  'notifications.settings': [own('AMB-72', 'how they reach me', (api) => api.notifications.settings())],
  'notifications.setKind': [
    own('AMB-72', 'choose how they reach me', (api) =>
      api.notifications.setKind({ kind: 'replies', inApp: true, mail: 'off', push: true }),
    ),
  ],
  'notifications.setReader': [
    own('AMB-72', 'choose when they reach me', (api) =>
      api.notifications.setReader({ locale: 'es', zone: 'UTC', quiet: null }),
    ),
  ],
  'notifications.subscribe': [
    own('AMB-72', 'have my browser notified', (api) =>
      api.notifications.subscribe({
        endpoint: `https://fcm.googleapis.com/fcm/send/${words()}`,
        p256dh: 'x'.repeat(87),
        auth: 'x'.repeat(22),
      }),
    ),
  ],
  'notifications.unsubscribe': [
    own('AMB-72', 'have it notified no more', (api) =>
      api.notifications.unsubscribe({ endpoint: 'https://fcm.googleapis.com/fcm/send/x' }),
    ),
  ],

  // Requests and payments: by claim, not by role
  'tokenRequests.paymentMode': [free('1', 'how one can pay', (api) => api.tokenRequests.paymentMode())],
  'tokenRequests.create': [free('14', 'begin a request', (api) => api.tokenRequests.create({ data: COMPLETE }))],
  'tokenRequests.mine': [own('15', 'my requests', (api) => api.tokenRequests.mine())],
  'tokenRequests.read': [
    free('15', 'my request', async (api, { me }) => {
      const { id, secret } = await draftBy(me);
      return api.tokenRequests.read({ id, secret });
    }),
    free(
      '15',
      "somebody else's request",
      async (api, { other }) => api.tokenRequests.read({ id: (await draftBy(other)).id }),
      'NOT_FOUND',
    ),
    free(
      '15',
      "somebody else's request with a guess",
      async (api, { other }) => api.tokenRequests.read({ id: (await draftBy(other)).id, secret: TOKEN }),
      'NOT_FOUND',
    ),
  ],
  'tokenRequests.save': [
    free('15', 'save my request', async (api, { me }) => {
      const { id, secret, version } = await draftBy(me);
      return api.tokenRequests.save({ id, secret, version, data: {} });
    }),
    free(
      '15',
      "save somebody else's request",
      async (api, { other }) => {
        const { id, version } = await draftBy(other);
        return api.tokenRequests.save({ id, secret: TOKEN, version, data: {} });
      },
      'NOT_FOUND',
    ),
    free(
      '20',
      'say that my request is paid',
      async (api, { me }) => {
        const { id, secret, version } = await draftBy(me);
        return api.tokenRequests.save({ id, secret, version, data: { paymentStatus: 'completed' } as never });
      },
      'BAD_REQUEST',
    ),
  ],
  'tokenRequests.removeImage': [
    free(
      '17',
      "remove an image of somebody else's request",
      async (api, { other }) =>
        api.tokenRequests.removeImage({ id: (await draftBy(other)).id, secret: TOKEN, imageId: NOBODYS }),
      'NOT_FOUND',
    ),
  ],
  'tokenRequests.pay': [
    free(
      '18',
      "pay somebody else's request",
      async (api, { other }) =>
        api.tokenRequests.pay({ id: (await draftBy(other)).id, secret: TOKEN, plan: 'entry', locale: 'es' }),
      'NOT_FOUND',
    ),
  ],
  'tokenRequests.check': [
    free(
      '19',
      "whether somebody else's request is paid",
      async (api, { other }) => api.tokenRequests.check({ id: (await draftBy(other)).id, secret: TOKEN }),
      'NOT_FOUND',
    ),
  ],
  'tokenRequests.order': [
    free(
      '19',
      "somebody else's order with a guess",
      async (api, { other }) => api.tokenRequests.order({ id: (await draftBy(other)).id, key: TOKEN }),
      'NOT_FOUND',
    ),
  ],
  'tokenRequests.answerProposal': [
    free(
      '18',
      "confirm a change of somebody else's token with a guess",
      async (api, { other }) =>
        api.tokenRequests.answerProposal({
          id: (await draftBy(other)).id,
          key: TOKEN,
          proposalId: NOBODYS,
          answer: 'confirmed',
        }),
      'NOT_FOUND',
    ),
  ],
  'tokenRequests.replaceLink': [
    free(
      '18',
      "replace the link of somebody else's order with a guess",
      async (api, { other }) =>
        api.tokenRequests.replaceLink({ id: (await draftBy(other)).id, key: TOKEN, locale: 'es' }),
      'NOT_FOUND',
    ),
  ],
  'tokenRequests.renew': [
    free(
      '18',
      "pay somebody else's order anew with a guess",
      async (api, { other }) => api.tokenRequests.renew({ id: (await draftBy(other)).id, key: TOKEN, locale: 'es' }),
      'NOT_FOUND',
    ),
  ],
  'refunds.setAddress': [
    free(
      '18',
      "where somebody else's refund goes, with a guess",
      async (api, { other }) =>
        api.refunds.setAddress({ id: (await draftBy(other)).id, key: TOKEN, refundId: NOBODYS, address: 'x' }),
      'NOT_FOUND',
    ),
  ],
  'refunds.confirmAddress': [
    free(
      '18',
      "confirm somebody else's refund with a guess",
      async (api, { other }) =>
        api.refunds.confirmAddress({ id: (await draftBy(other)).id, key: TOKEN, refundId: NOBODYS, code: '0' }),
      'NOT_FOUND',
    ),
  ],
  'submissions.removeImage': [
    free(
      '17',
      "remove an image of somebody else's form",
      (api) => api.submissions.removeImage({ id: NOBODYS, claim: 'x'.repeat(43) }),
      'NOT_FOUND',
    ),
  ],
  'submissions.state': [free('1', 'whether submissions are open', (api) => api.submissions.state())],
  'submissions.create': [free('14', 'send a submission', (_api, { me }) => submissionBy(me))],
  'submissions.read': [
    free(
      '15',
      "somebody else's submission with a guess",
      async (api, { other }) => api.submissions.read({ id: (await submissionBy(other)).id, key: TOKEN }),
      'NOT_FOUND',
    ),
  ],
  'media.remove': [
    own('17', "remove somebody else's image", (api) => api.media.remove({ id: NOBODYS }), { member: 'NOT_FOUND' }),
  ],
};

/** Every procedure of the contract. */

/** The back office has one guard for all of it: access-admin.test.ts. */
const PUBLIC = NAMES.filter((name) => !name.startsWith('admin.'));

/** The answer for a kind of person, in words. */
const expected = (line: Line, column: Column): Answer =>
  column === 'visitor' ? line.visitor : (line[column] ?? line.member);

/** A post needs a profile: who has none has no post to edit or delete. */
const needsProfile = ({ what }: Line) => /^(edit|delete) my post$/.test(what);

describe('the table', () => {
  it('has a line for every procedure, and for nothing else', () => {
    expect(PUBLIC.filter((name) => !(name in TABLE))).toEqual([]);
    expect(Object.keys(TABLE).filter((name) => !NAMES.includes(name))).toEqual([]);
  });

  it('notices a procedure that nobody wrote a line for', () => {
    const grown = [...namesOf({ ...contract, forum: { ...contract.forum, promoteMyself: contract.forum.create } })];
    expect(grown.filter((name) => !(name in TABLE) && !NAMES.includes(name))).toEqual(['forum.promoteMyself']);
  });
});

for (const [name, lines] of Object.entries(TABLE)) {
  for (const line of lines)
    describe(`${line.row}) ${name}: ${line.what}`, () => {
      it.each(PEOPLE.filter(([, column]) => column !== 'bare' || !needsProfile(line)))(
        '%s',
        async (_who, column, make) => {
          app.pass(60_000);
          const other = await app.member();
          const me = await make();
          const scene: Scene = { me, other, mine: column === 'visitor' || !me ? other : me };
          const api = app.as(me, { address: address() });
          expect(await answerTo(line.call(api, scene))).toBe(expected(line, column));
        },
      );
    });
}

describe('beside the table', () => {
  it('4) the live stream is open to everybody', async () => {
    for (const [who, , make] of PEOPLE) {
      const stop = new AbortController();
      const person = await make();
      const response = await app.http('/live', {
        signal: stop.signal,
        ...(person ? { headers: { cookie: person.cookie } } : {}),
      });
      expect(response.status, who).toBe(200);
      stop.abort();
    }
  });

  it('13) a wish to moderate at sign-up is a pending request and no right [AUTH-08] [AUTH-36] [SEC-06]', async () => {
    const browser = app.browser({ address: address() });
    const me = await browser.api.auth.signUp({ email: email(), password: 'six-or-more', requestModerator: true });
    expect(me).toMatchObject({ role: 'user', moderatorRequestStatus: 'pending', isAdmin: false });
    const id = await postBy(await app.member());
    expect(await answerTo(browser.api.forum.deletePost({ id }))).toBe('FORBIDDEN');
  });

  it('48) images of the back office are an admin’s to upload [MEDIA-01]', async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    for (const [who, column, make] of PEOPLE)
      for (const bucket of ['project-images', 'voting-candidate-images']) {
        app.pass(60_000);
        const person = await make();
        const { status } = await app.http(`/uploads?bucket=${bucket}`, {
          method: 'POST',
          headers: { 'content-type': 'image/png', ...(person ? { cookie: person.cookie } : {}) },
          body: new Uint8Array(png),
        });
        expect({ who, status }).toEqual({ who, status: column === 'admin' ? 201 : column === 'visitor' ? 401 : 403 });
      }
  });

  it('50) nobody changes the audit log: there is no such call, and the database refuses', async () => {
    for (const [who, , make] of PEOPLE) {
      const person = await make();
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status } = await app.http('/api/admin/audit', {
          method,
          headers: {
            'content-type': 'application/json',
            origin: 'http://localhost',
            ...(person ? { cookie: person.cookie } : {}),
          },
          body: '{}',
        });
        expect({ who, method, status }).toEqual({ who, method, status: 405 });
      }
    }
    for (const statement of ["update audit_events set action = 'x'", 'delete from audit_events'])
      await expect(app.sql(statement)).rejects.toThrow();
  });

  it('51) the process says to everybody whether it lives, and no more', async () => {
    for (const [who, , make] of PEOPLE) {
      const person = await make();
      const headers = new Headers(person ? { cookie: person.cookie } : []);
      expect((await app.http('/healthz', { headers })).status, who).toBe(200);
      expect(await (await app.http('/readyz', { headers })).text(), who).toBe('ready');
    }
  });

  it('31) the list of who is online tells names and cut ids, no id, wallet or e-mail, to anybody', async () => {
    const ana = await app.member();
    await app.as(ana).presence.connect(tab());
    for (const [, , make] of PEOPLE) {
      const { data } = await app.as(await make()).presence.online();
      const seen = data.find(({ username }) => username === ana.username);
      expect(Object.keys(seen ?? {}).toSorted()).toEqual(['lastSeen', 'shortId', 'username']);
      expect(JSON.stringify(data)).not.toContain(ana.id);
      expect(JSON.stringify(data)).not.toContain('@');
    }
  });
});
