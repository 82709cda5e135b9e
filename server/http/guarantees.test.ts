import { globSync, readFileSync } from 'node:fs';
import { isProcedure } from '@orpc/server';
import { expect, it } from 'vitest';
import { router } from '#server/router.ts';

/** The key under which middlewares keep what they declare. */
const DECLARED = Symbol.for('florka.guarantees');

/** What a procedure guarantees, in the order in which it is checked: who may call it first, how often last. */
function guaranteesOf(procedure: { '~orpc': { middlewares: readonly unknown[] } }): string[] {
  const words = procedure['~orpc'].middlewares.flatMap(
    (one) => (one as { [DECLARED]?: readonly string[] })[DECLARED] ?? [],
  );
  return words.includes('member') ? words : ['everyone', ...words];
}

const ADMIN = ['member', 'admin', 'second factor'];
const PASSKEY_MEMBER = 'limit passkey: 60 in 3600 s for each member';
const PASSKEY_ADDRESS = 'limit passkey: 60 in 3600 s for each address';
const PASSKEY_CHANGE = ['member', 'proof of the last 10 minutes', PASSKEY_MEMBER];
const PROVEN_ADMIN = [...ADMIN, 'proof of the last 10 minutes'];

/**
 * What every procedure guarantees before its handler runs, in the order of the checks: who may call it, how that is confirmed,
 * how often. A new procedure needs a line here.
 */
const TABLE: Record<string, readonly string[]> = {
  'account.overview': ['member'],
  'account.setUsername': ['member', 'limit changes: 5 in 3600 s, taken by the service'],
  'account.setPresence': ['member', 'limit presence: 30 in 60 s for each member'],
  'account.sendVerification': ['member', 'limit mail: 5 in 3600 s for each member'],
  'account.verifyEmail': ['everyone', 'limit token: 30 in 3600 s for each address'],
  'account.changeEmail': [
    'member',
    'password',
    'limit proof: 10 in 3600 s for each member',
    'limit mail: 5 in 3600 s for each member',
  ],
  'account.changePassword': ['member', 'password', 'limit proof: 10 in 3600 s for each member'],
  'account.sessions': ['member'],
  'account.revokeSession': ['member'],
  'account.revokeOtherSessions': ['member'],
  'account.passkeys.list': ['member'],
  'account.passkeys.startAdding': PASSKEY_CHANGE,
  'account.passkeys.add': PASSKEY_CHANGE,
  'account.passkeys.rename': ['member', PASSKEY_MEMBER],
  'account.passkeys.remove': PASSKEY_CHANGE,
  'account.passkeys.startProof': ['member', PASSKEY_MEMBER],
  'account.passkeys.prove': ['member', PASSKEY_MEMBER],
  'account.passkeys.startSignIn': ['everyone', PASSKEY_ADDRESS],
  'account.passkeys.signIn': ['everyone', PASSKEY_ADDRESS],
  'account.passkeys.startSecondStep': ['everyone', PASSKEY_ADDRESS],
  'account.passkeys.secondStep': ['everyone', PASSKEY_ADDRESS],
  'account.startSecondFactor': ['member', 'password', 'limit proof: 10 in 3600 s for each member'],
  'account.confirmSecondFactor': ['member', 'limit second-factor:setup: 10 in 3600 s for each member'],
  'account.removeSecondFactor': [
    'member',
    'password',
    'limit proof: 10 in 3600 s for each member',
    'limit second-factor:setup: 10 in 3600 s for each member',
  ],
  'account.prove': [
    'member',
    'limit password: 10 in 3600 s, taken by the service',
    'limit code: 10 in 3600 s, taken by the service',
  ],
  'account.export': ['member', 'limit exports: 10 in 86400 s, taken by the service'],
  'account.remove': ['member', 'password', 'limit proof: 10 in 3600 s for each member'],
  'account.requestPasswordReset': [
    'everyone',
    'limit account: 3 in 3600 s, taken by the service',
    'limit address: 5 in 86400 s, taken by the service',
    'limit mail: 5 in 3600 s, taken by the service',
  ],
  'account.resetPassword': ['everyone', 'limit token: 30 in 3600 s for each address'],
  'account.requestSignInCode': [
    'everyone',
    'limit account: 3 in 3600 s, taken by the service',
    'limit address: 10 in 3600 s, taken by the service',
    'limit mail: 5 in 3600 s, taken by the service',
  ],
  'account.signInWithCode': [
    'everyone',
    'limit code-try: 10 in 3600 s for each address and subject',
    'limit code-try:address: 30 in 3600 s for each address',
  ],
  'account.provideSecondFactor': ['everyone', 'limit attempts: 10 in 3600 s, taken by the service'],
  'admin.session': ['member', 'admin'],
  'admin.audit.list': ADMIN,
  'admin.audit.names': ADMIN,
  'admin.dashboard.counts': ADMIN,
  'admin.dashboard.days': ADMIN,
  'admin.inbox.list': ADMIN,
  'admin.inbox.take': ADMIN,
  'admin.inbox.release': ADMIN,
  'admin.inbox.resolveReport': ADMIN,
  'admin.inbox.settleJob': ADMIN,
  'admin.candidates.list': ADMIN,
  'admin.candidates.create': ADMIN,
  'admin.candidates.update': ADMIN,
  'admin.candidates.setActive': ADMIN,
  'admin.candidates.remove': ADMIN,
  'admin.candidates.restore': ADMIN,
  'admin.candidates.resetVotes': PROVEN_ADMIN,
  'admin.candidates.undoReset': PROVEN_ADMIN,
  'admin.forum.stats': ADMIN,
  'admin.forum.debug': ADMIN,
  'admin.forum.list': ADMIN,
  'admin.forum.hide': ADMIN,
  'admin.forum.restore': ADMIN,
  'admin.market.read': ADMIN,
  'admin.moderatorRequests.list': ADMIN,
  'admin.moderatorRequests.decide': PROVEN_ADMIN,
  'admin.networks.list': ADMIN,
  'admin.networks.create': ADMIN,
  'admin.networks.update': ADMIN,
  'admin.networks.remove': PROVEN_ADMIN,
  'admin.networks.restore': ADMIN,
  'admin.news.list': ADMIN,
  'admin.news.read': ADMIN,
  'admin.news.create': ADMIN,
  'admin.news.update': ADMIN,
  'admin.news.remove': ADMIN,
  'admin.news.restore': ADMIN,
  'admin.nextProjects.list': ADMIN,
  'admin.nextProjects.create': ADMIN,
  'admin.nextProjects.update': ADMIN,
  'admin.nextProjects.remove': ADMIN,
  'admin.nextProjects.restore': ADMIN,
  'admin.projects.list': ADMIN,
  'admin.projects.create': ADMIN,
  'admin.projects.update': ADMIN,
  'admin.projects.setTop3': ADMIN,
  'admin.projects.remove': ADMIN,
  'admin.projects.restore': ADMIN,
  'admin.roles.list': ADMIN,
  'admin.roles.counts': ADMIN,
  'admin.roles.assign': PROVEN_ADMIN,
  'admin.roles.remove': PROVEN_ADMIN,
  'admin.rounds.list': ADMIN,
  'admin.rounds.current': ADMIN,
  'admin.rounds.setEnd': ADMIN,
  'admin.rounds.promoteWinner': ADMIN,
  'admin.showcase.list': ADMIN,
  'admin.showcase.add': ADMIN,
  'admin.sitePages.list': ADMIN,
  'admin.sitePages.history': ADMIN,
  'admin.sitePages.save': ADMIN,
  'admin.sitePages.restore': ADMIN,
  'admin.submissions.list': ADMIN,
  'admin.submissions.read': ADMIN,
  'admin.submissions.review': ADMIN,
  'admin.submissions.publish': ADMIN,
  'admin.tokenRequests.list': ADMIN,
  'admin.tokenRequests.read': ADMIN,
  'admin.tokenRequests.close': ADMIN,
  'admin.tokenRequests.reopen': ADMIN,
  'admin.tokenRequests.ofPayment': ADMIN,
  'admin.tokenRequests.askProvider': ADMIN,
  'admin.tokenRequests.acceptPayment': PROVEN_ADMIN,
  'admin.tokenRequests.notePayment': PROVEN_ADMIN,
  'admin.tokenRequests.unplaced': ADMIN,
  'admin.tokenRequests.placePayment': PROVEN_ADMIN,
  'admin.tokenRequests.settleUnplaced': PROVEN_ADMIN,
  'admin.tokenRequests.createToken': PROVEN_ADMIN,
  'admin.tokenRequests.retryCreation': PROVEN_ADMIN,
  'admin.tokenRequests.chains': ADMIN,
  'admin.users.list': ADMIN,
  'admin.users.counts': ADMIN,
  'admin.users.create': [...ADMIN, 'limit mail: 5 in 3600 s, taken by the service'],
  'admin.users.update': [...PROVEN_ADMIN, 'limit mail: 5 in 3600 s, taken by the service'],
  'admin.users.confirm': ADMIN,
  'admin.users.promote': PROVEN_ADMIN,
  'admin.users.ban': PROVEN_ADMIN,
  'admin.users.unban': ADMIN,
  'admin.users.revokeSessions': ADMIN,
  'admin.users.resetPassword': [...ADMIN, 'limit mail: 5 in 3600 s, taken by the service'],
  'admin.users.remove': [...PROVEN_ADMIN, 'limit removals: 10 in 60 s, taken by the service'],
  'auth.me': ['everyone'],
  'auth.signUp': [
    'everyone',
    'limit tryHour: 20 in 3600 s, taken by the service',
    'limit hour: 3 in 3600 s, taken by the service',
    'limit day: 10 in 86400 s, taken by the service',
  ],
  'auth.signIn': [
    'everyone',
    'limit minute: 5 in 60 s, taken by the service',
    'limit hour: 30 in 3600 s, taken by the service',
    'limit account: 10 in 3600 s, taken by the service',
    'limit device: 5 in 60 s, taken by the service',
  ],
  'auth.signOut': ['everyone'],
  'auth.linkAdmin': ['member', 'limit link: 5 in 3600 s for each member'],
  'auth.linkForumUser': ['member', 'limit link: 5 in 3600 s for each member'],
  'forum.posts': ['everyone', 'limit search: 15 in 60 s for each address, 60 in 60 s for each member'],
  'forum.post': ['everyone'],
  'forum.comments': ['everyone'],
  'forum.mine': ['everyone'],
  'forum.create': [
    'member',
    'limit pause: 1 in 15 s, taken by the service',
    'limit pauseNew: 1 in 60 s, taken by the service',
    'limit day: 20 in 86400 s, taken by the service',
  ],
  'forum.editPost': ['member'],
  'forum.deletePost': ['member', 'limit forum-delete: 10 in 60 s for each member'],
  'forum.comment': [
    'member',
    'limit pause: 1 in 5 s, taken by the service',
    'limit pauseNew: 1 in 30 s, taken by the service',
  ],
  'forum.editComment': ['member'],
  'forum.deleteComment': ['member', 'limit forum-delete: 10 in 60 s for each member'],
  'forum.report': ['member', 'limit report: 10 in 3600 s for each member'],
  'forum.react': ['member', 'limit reaction: 30 in 60 s for each member'],
  'market.prices': ['everyone'],
  'media.remove': ['member'],
  'networks.list': ['everyone'],
  'news.list': ['everyone', 'limit search: 15 in 60 s for each address, 60 in 60 s for each member'],
  'news.byId': ['everyone'],
  'nextProjects.list': ['everyone'],
  'nextProjects.launches': ['everyone'],
  'presence.connect': ['member', 'about oneself', 'limit tab: 120 in 60 s for each member'],
  'presence.heartbeat': ['member', 'about oneself', 'limit tab: 120 in 60 s for each member'],
  'presence.disconnect': ['member', 'about oneself', 'limit tab: 120 in 60 s for each member'],
  'presence.online': ['everyone'],
  'projects.podium': ['everyone'],
  'projects.list': ['everyone'],
  'saved.list': ['member'],
  'saved.notices': ['member'],
  'saved.setNotice': ['member', 'limit save: 60 in 60 s for each member'],
  'saved.resolve': ['everyone'],
  'saved.merge': ['member', 'limit saved-merge: 10 in 60 s for each member'],
  'saved.set': ['member', 'limit save: 60 in 60 s for each member'],
  'sitePages.read': ['everyone'],
  'sitePages.contact': ['everyone'],
  'submissions.state': ['everyone'],
  'submissions.create': [
    'everyone',
    'challenge for guests while many write',
    'limit requests: 5 in 3600 s, taken by the service',
    'limit mails: 3 in 86400 s, taken by the service',
  ],
  'submissions.removeImage': ['everyone', 'limit private-link: 60 in 60 s for each address'],
  'submissions.read': ['everyone', 'limit private-link: 60 in 60 s for each address'],
  'tokenRequests.paymentMode': ['everyone'],
  'tokenRequests.create': [
    'everyone',
    'challenge for guests while many write',
    'limit drafts: 10 in 3600 s, taken by the service',
  ],
  'tokenRequests.save': ['everyone', 'limit saves: 60 in 60 s, taken by the service'],
  'tokenRequests.read': ['everyone', 'limit private-link: 60 in 60 s for each address'],
  'tokenRequests.removeImage': ['everyone', 'limit private-link: 60 in 60 s for each address'],
  'tokenRequests.mine': ['member'],
  'tokenRequests.pay': [
    'everyone',
    'limit pays: 10 in 60 s, taken by the service',
    'limit orders: 10 in 86400 s, taken by the service',
  ],
  'tokenRequests.check': [
    'everyone',
    'limit checks: 30 in 60 s, taken by the service',
    'limit reads: 60 in 60 s, taken by the service',
  ],
  'tokenRequests.order': [
    'everyone',
    'limit private-link: 60 in 60 s for each address',
    'limit checks: 30 in 60 s, taken by the service',
  ],
  'tokenRequests.renew': [
    'everyone',
    'limit private-link: 60 in 60 s for each address',
    'limit pays: 10 in 60 s, taken by the service',
    'limit orders: 10 in 86400 s, taken by the service',
  ],
  'tokens.find': ['everyone'],
  'voting.ranking': ['everyone'],
  'voting.history': ['everyone'],
  'voting.mine': ['everyone'],
  'voting.votedToday': ['member', 'about oneself'],
  'voting.cast': [
    'member',
    'about oneself',
    'limit minute: 20 in 60 s, taken by the service',
    'limit day: 60 in 86400 s, taken by the service',
  ],
  'voting.withdraw': ['member', 'about oneself', 'limit unvote: 10 in 86400 s for each member and subject'],
};

function* proceduresIn(part: object, path: string[] = []): Generator<[string, readonly string[]]> {
  for (const [name, one] of Object.entries(part)) {
    if (isProcedure(one)) yield [[...path, name].join('.'), guaranteesOf(one)];
    else if (typeof one === 'object' && one !== null) yield* proceduresIn(one, [...path, name]);
  }
}

it('lists what every procedure guarantees: a new one says so here', () => {
  expect(Object.fromEntries(proceduresIn(router))).toEqual(TABLE);
});

it('knows every limit at its procedure: no service of a domain takes one of its own', () => {
  const taking = globSync('server/domains/**/*.service.ts', { cwd: process.cwd() }).filter(
    // A guarantee is declared there, and used at procedures.
    (file) => !file.endsWith('confirm-password.service.ts') && /\bLIMITS\b/.test(readFileSync(file, 'utf8')),
  );
  expect(taking).toEqual([]);
});
