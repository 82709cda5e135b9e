import { randomBytes } from 'node:crypto';
import { and, eq, type SQL } from 'drizzle-orm';
import type { LinkedWallet } from '#contract/domains/linked-wallets.ts';
import { LINKED_WALLETS_MAX } from '#contract/limits.ts';
import type { Network } from '#contract/networks.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { linkedWallets } from '#server/db/tables/account-security.ts';
import { userRoles } from '#server/db/tables/accounts.ts';
import { passkeysOf } from '#server/domains/account/passkeys/passkey-challenge.service.ts';
import type { AccountContext } from '#server/domains/account/second-factor/second-factor.service.ts';
import { endWalletSessions, isTaken, lockMember } from '#server/domains/auth/members.service.ts';
import {
  type Admission,
  type AuthRequest,
  admit,
  readWalletBrowser,
  rememberWallet,
} from '#server/domains/auth/open-session.service.ts';
import { hasPassword } from '#server/domains/auth/passwords/password.service.ts';
import { changeToken } from '#server/domains/auth/sessions/session-token.service.ts';
import { viewerById } from '#server/domains/auth/sessions/viewer.service.ts';
import { consumeWalletChallenge, issueWalletChallenge } from '#server/domains/auth/wallet-challenge.service.ts';
import { notifyOfSecurity } from '#server/domains/notifications/member-events.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';

type Row = typeof linkedWallets.$inferSelect;
interface WalletClaim {
  network: Network;
  address: string;
}
interface Signed {
  nonce: string;
  signature: string;
}

// English, like all texts in wallets. Each states its purpose, so that a signature for one is not valid for another.
const STATEMENTS = {
  link: 'I link this wallet to my account: from now on it signs me in.',
  sign_in: 'I sign in with this wallet.',
} as const;

const infoOf = ({ id, family, address, linkedAt, lastUsedAt }: Row): LinkedWallet => ({
  id,
  family,
  address,
  linkedAt: linkedAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
const familyOf = (network: Network): Row['family'] => (network === 'solana' ? 'solana' : 'evm');
/** Condition for the unique link of an address, in the normalized form of `walletAddress`, which is the stored one. */
const linkOf = ({ network, address }: WalletClaim): SQL | undefined =>
  and(eq(linkedWallets.family, familyOf(network)), eq(linkedWallets.address, address));

const walletsOf = (db: Reader, userId: string): Promise<Row[]> =>
  db
    .select()
    .from(linkedWallets)
    .where(eq(linkedWallets.userId, userId))
    .orderBy(linkedWallets.linkedAt, linkedWallets.id);

/** A member's linked wallets, oldest first. */
export const listWallets = async (db: Reader, userId: string): Promise<LinkedWallet[]> =>
  (await walletsOf(db, userId)).map(infoOf);

/** @throws FORBIDDEN, TOO_MANY */
async function refuseMore(db: Reader, member: { id: string; emailVerified: boolean }): Promise<void> {
  // Otherwise a person who signed up with another's e-mail could retain access to the account.
  if (!member.emailVerified) fail('FORBIDDEN');
  if ((await walletsOf(db, member.id)).length >= LINKED_WALLETS_MAX) fail('TOO_MANY');
}

const linking = ({ viewer }: AccountContext) => ({
  purpose: 'link' as const,
  userId: viewer.id,
  browser: viewer.sessionId,
});

/**
 * A message to sign, by a wallet that is to be linked to this member.
 *
 * @throws FORBIDDEN without a confirmed mailbox, TOO_MANY, WALLET_REFUSED for an invalid address of the network.
 */
export async function startLinking(
  account: AccountContext,
  claimed: WalletClaim,
): Promise<{ nonce: string; message: string }> {
  const { db, publicUrl, viewer } = account;
  await refuseMore(db, viewer);
  return db.transaction((tx) =>
    issueWalletChallenge(tx, publicUrl, linking(account), { ...claimed, statement: STATEMENTS.link }),
  );
}

/**
 * Links the wallet that signed. The owner of the account is notified by mail, and the session gets a new token.
 *
 * @throws WALLET_REFUSED, WALLET_TAKEN, TOO_MANY, FORBIDDEN when the mailbox became unproven meanwhile.
 */
export async function linkWallet(
  account: AccountContext,
  signed: Signed & { locale: MailLocale },
): Promise<LinkedWallet> {
  const { db, viewer, now } = account;
  const done = await db.transaction(async (tx) => {
    const member = await lockMember(tx, viewer.id);
    const text = await consumeWalletChallenge(tx, linking(account), signed);
    const [taken] = await tx.select().from(linkedWallets).where(linkOf(text));
    if (taken) fail('WALLET_TAKEN', { by: taken.userId === viewer.id ? 'me' : 'other' });
    await refuseMore(tx, member);
    const { network, address } = text;
    const [row] = await tx
      .insert(linkedWallets)
      .values({ userId: viewer.id, family: familyOf(network), address, linkedAt: now })
      .returning()
      // Of two concurrent accounts, the unique index accepts one.
      .catch((error) => (isTaken(error) ? fail('WALLET_TAKEN', { by: 'other' }) : Promise.reject(error)));
    const wallet = infoOf(row ?? fail('WALLET_TAKEN', { by: 'other' }));
    await notifyOwner(tx, account, member.email, { on: true, address, locale: signed.locale });
    await audit(tx, account.actor, {
      action: 'wallet.linked',
      resourceType: 'member',
      resourceId: viewer.id,
      after: { wallet: wallet.id, how: wallet.family },
    });
    return { wallet, cookies: await changeToken(tx, account.auth, viewer.sessionId) };
  });
  account.setCookies(done.cookies);
  return done.wallet;
}

/** Mail and notification about a changed sign-in method. */
async function notifyOwner(
  tx: Tx,
  { jobs, viewer, now }: AccountContext,
  to: string,
  { on, address, locale }: { on: boolean; address: string; locale: MailLocale },
): Promise<void> {
  await queueMail(tx, jobs, { to, locale, template: 'walletChanged', data: { on, address } });
  await notifyOfSecurity(tx, viewer.id, on ? 'wallet_on' : 'wallet_off', now);
}

/**
 * Unlinks one of the member's wallets, and ends the other sessions that were opened by a wallet alone.
 *
 * @throws NOT_FOUND. @throws LAST_WAY_IN while the account has neither a password nor a passkey.
 */
export async function unlinkWallet(account: AccountContext, input: { id: string; locale: MailLocale }): Promise<void> {
  const { db, viewer } = account;
  const cookies = await db.transaction(async (tx) => {
    const { email } = await lockMember(tx, viewer.id);
    const [gone] = await tx
      .delete(linkedWallets)
      .where(and(eq(linkedWallets.id, input.id), eq(linkedWallets.userId, viewer.id)))
      .returning();
    if (!gone) return fail('NOT_FOUND', { what: 'wallet' });
    if (!(await hasPassword(tx, viewer.id)) && (await passkeysOf(tx, viewer.id)).length === 0) fail('LAST_WAY_IN');
    await endWalletSessions(tx, viewer.id, viewer.sessionId);
    await notifyOwner(tx, account, email, { on: false, address: gone.address, locale: input.locale });
    await audit(tx, account.actor, {
      action: 'wallet.unlinked',
      resourceType: 'member',
      resourceId: viewer.id,
      before: { wallet: gone.id, how: gone.family },
    });
    return changeToken(tx, account.auth, viewer.sessionId);
  });
  account.setCookies(cookies);
}

/**
 * A message to sign for a sign-in by wallet; created for any address, so that it does not reveal whether an account exists.
 *
 * @returns also the cookie that binds the message to this browser.
 * @throws WALLET_REFUSED for an invalid address of the network.
 */
export async function startWalletSignIn(
  request: AuthRequest,
  claimed: WalletClaim,
): Promise<{ nonce: string; message: string; cookie: string }> {
  const browser = randomBytes(32).toString('base64url');
  const whose = { purpose: 'sign_in' as const, userId: null, browser };
  const text = await request.db.transaction((tx) =>
    issueWalletChallenge(tx, request.publicUrl, whose, { ...claimed, statement: STATEMENTS.sign_in }),
  );
  return { ...text, cookie: await rememberWallet(request, browser) };
}

/**
 * Signs in by a linked wallet, or completes the first of two steps. Staff always need the second: a wallet is never their only
 * proof.
 *
 * @throws WALLET_REFUSED. @throws WALLET_UNKNOWN when the wallet is linked to no account, or its member is banned.
 * @throws WALLET_STAFF for staff without a second factor.
 */
export async function signInByWallet(request: AuthRequest, actor: Actor, signed: Signed): Promise<Admission> {
  const browser = (await readWalletBrowser(request)) ?? '';
  // A refusal after a valid signature must still consume the message: nothing fails within the transaction.
  const admission = await request.db.transaction(async (tx) => {
    const text = await consumeWalletChallenge(tx, { purpose: 'sign_in', userId: null, browser }, signed);
    const [linked] = await tx.select({ userId: linkedWallets.userId }).from(linkedWallets).where(linkOf(text));
    if (!linked) return 'WALLET_UNKNOWN';
    // The member is locked before the link, in the lock order of the removal of links; then the current state is read.
    const member = await lockMember(tx, linked.userId);
    const used = await tx
      .update(linkedWallets)
      .set({ lastUsedAt: request.now })
      .where(and(linkOf(text), eq(linkedWallets.userId, member.id)));
    if (!used.rowCount) return 'WALLET_UNKNOWN';
    if (await lacksProofOfStaff(tx, member.id)) {
      await audit(
        tx,
        { ...actor, id: member.id, role: 'user' },
        {
          action: 'member.sign_in_refused',
          resourceType: 'member',
          resourceId: member.id,
          after: { how: 'wallet', why: 'staff' },
        },
      );
      return 'WALLET_STAFF';
    }
    return (await admit(tx, request, actor, member.id, 'wallet')) ?? 'WALLET_UNKNOWN';
  });
  return typeof admission === 'string' ? fail(admission) : admission;
}

/**
 * True for staff without a second factor. A concurrent promotion to staff waits for the caller's transaction, and its trigger ends
 * the session.
 */
async function lacksProofOfStaff(tx: Tx, userId: string): Promise<boolean> {
  await tx.select({ id: userRoles.userId }).from(userRoles).where(eq(userRoles.userId, userId)).for('share');
  const viewer = await viewerById(tx, userId);
  return !viewer || (viewer.role !== 'user' && !viewer.hasSecondFactor);
}
