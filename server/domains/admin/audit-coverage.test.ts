import { randomBytes } from 'node:crypto';
import { ORPCError, traverseContractProcedures } from '@orpc/server';
import sharp from 'sharp';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AUDIT_FIELDS } from '#contract/admin/audit-fields.ts';
import { contract } from '#contract/index.ts';
import type { UploadedImage } from '#contract/media.ts';
import { keepUnplaced } from '#server/domains/payments/unplaced.service.ts';
import { errorText } from '#server/lib/describe-error.ts';
import { signedAcceptance } from '#tests/support/admin-key.ts';
import { authenticator } from '#tests/support/authenticator.ts';
import { COMPLETE } from '#tests/support/complete-draft.ts';
import { createdToken } from '#tests/support/created-token.ts';
import { fakeProvider } from '#tests/support/fake-provider.ts';
import { holdText } from '#tests/support/held-text.ts';
import { payerConfirms } from '#tests/support/payer-confirms.ts';
import { PASSWORD, peopleOf } from '#tests/support/people.ts';
import { BECAUSE } from '#tests/support/removal.ts';
import { startTestApp } from '#tests/support/test-app.ts';

/** What leaves no entry, and why. Anything else that writes without one fails below. */
const WITHOUT_ENTRY: Record<string, string> = {
  'voting.cast': 'the table of votes is its record (ADR 0010); only taking one back is written',
  'forum.react': 'the table of reactions is its record; a click that is meant to be taken back',
  'notifications.markRead': 'the row itself says when; a look at a list is no act',
  'admin.editorial.editing': 'a form is open: gone with it, as presence is',
  'admin.lists.save': 'how somebody looks at a list: nobody else sees it, and nothing else follows from it',
  'presence.connect': 'a tab is open: gone with it',
  'presence.heartbeat': 'as above',
  'presence.disconnect': 'as above',
  'ownership.startWallet': 'makes a text of 5 minutes; what is signed with it is written',
  'account.passkeys.startAdding': 'makes a challenge of 5 minutes; what is signed with it is written',
  'account.passkeys.startProof': 'as above',
  'account.passkeys.startSignIn': 'as above',
  'account.passkeys.startSecondStep': 'as above',
  'saved.resolve': 'reads; POST because the list is long',
  'submissions.read': 'reads; POST because the key must not stand in an address',
  'tokenRequests.save': 'keystrokes of a draft, kept every two seconds; what is paid for is written with the payment',
  'tokenRequests.read': 'reads; POST because the secret must not stand in an address',
  'tokenRequests.order': 'as above; what it learns about the payment is written as that',
  'tokenRequests.check': 'as above',
};

const fake = fakeProvider(() => app.now.getTime());
const app = await startTestApp({
  payments: { ...fake.provider, simulation: true },
  trustProxy: 1,
  // Without https passkeys need this name.
  publicUrl: 'http://localhost',
  proofs: { look: async () => null },
});
const { newcomer, newestCode, newestToken, withSecondFactor, address, email } = peopleOf(app);
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
/** An admin who just signed in, for what asks for a fresh proof. */
const freshAdmin = async () => app.as(await app.member({ role: 'admin' })).admin;
const guest = () => app.as(null, { address: address() });

/** A project with a website, and a member that asked for it. */
async function ownToken() {
  const creator = await app.member({ verified: true });
  const { id } = await app.project({ website_url: 'https://creator.example.org' });
  await app.sql(
    `insert into project_submissions (submitter_name, submitter_email, status, project_id) values ('x', $1, 'approved', $2)`,
    [creator.email, id],
  );
  return { api: app.as(creator), record: { kind: 'project', id } as const };
}

/** A member with a passkey, and a way to sign what is asked. */
async function withPasskey() {
  const person = await newcomer({ verified: true });
  const device = authenticator({ origin: 'http://localhost', rpId: 'localhost' });
  const { passkeys } = person.api.account;
  await person.api.account.prove({ password: PASSWORD });
  const added = await passkeys.add({ response: device.create(await passkeys.startAdding()), name: 'Laptop' });
  return { ...person, device, passkeys, id: added.passkey.id };
}

type Act = () => Promise<unknown>;
/** Prepares, and answers with the call itself: only what that writes counts. */
type Scenario = () => Promise<Act>;

const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
  .png()
  .toBuffer();
async function upload(headers: Record<string, string>): Promise<UploadedImage> {
  const answer = await app.http('/uploads?bucket=token-images', {
    method: 'POST',
    headers: { 'content-type': 'image/png', 'x-forwarded-for': address(), ...headers },
    body: new Uint8Array(png),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as UploadedImage;
}

async function cluster(): Promise<{ id: string }> {
  const [made] = await app.sql<{ id: string }>(
    `insert into vote_review_clusters (round_id, signal, key, found_at, grown_at)
     select id, 'lockstep', gen_random_uuid()::text, now(), now() from voting_rounds where status = 'open' returning id`,
  );
  return { id: made?.id ?? '' };
}
/** A browser as it subscribes. */
const pushBrowser = () => ({
  endpoint: `https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('hex')}`,
  p256dh: 'x'.repeat(87),
  auth: 'x'.repeat(22),
});
const network = () =>
  back.networks.create({ name: randomBytes(4).toString('hex'), symbol: randomBytes(4).toString('hex') });
const project = () => {
  const key = randomBytes(6).toString('hex');
  return back.projects.create({
    tokenName: key,
    tokenSymbol: 'PRO',
    resemblanceAccepted: true,
    tokenAddress: `address-${key}`,
    status: 'published_home',
  });
};
const nextProject = () =>
  back.nextProjects.create({
    tokenName: randomBytes(4).toString('hex'),
    tokenSymbol: 'NEX',
    resemblanceAccepted: true,
  });
async function post() {
  app.pass(120_000);
  const author = app.as(await app.member());
  const title = randomBytes(6).toString('hex');
  const { id } = await author.forum.create({ title, content: title });
  return { author, id };
}
async function comment() {
  const { id: postId } = await post();
  const author = app.as(await app.member());
  const { id } = await author.forum.comment({ postId, content: 'A word' });
  return { author, id };
}
async function draft() {
  app.pass(120_000);
  const api = guest();
  const made = await api.tokenRequests.create({ data: { ...COMPLETE, petitionerEmail: email() } });
  return { api, ...made };
}
/** An order of which a part has arrived. */
async function shortPayment() {
  const { api, id, secret } = await draft();
  const { orderId } = await api.tokenRequests.pay({ id, secret, plan: 'entry', locale: 'es' });
  const invoice = fake.invoices.findLast((one) => one.orderId === orderId);
  if (!invoice) throw new Error('no invoice');
  fake.move(invoice, fake.newDepositId(), 'partially_paid', { actuallyPaid: 1 });
  app.pass(11_000);
  await api.tokenRequests.check({ id, secret });
  await freshProof();
  const { payments } = await back.tokenRequests.read({ id });
  return payments[0]?.id ?? '';
}
/** Money at the provider whose order is not here. */
async function unplaced() {
  const deposit = fake.move(
    { invoiceId: 'gone', orderId: 'FL-0BACKUP000', priceUsd: 100 },
    fake.newDepositId(),
    'finished',
    { actuallyPaid: 200 },
  );
  await keepUnplaced(app.services.db, [deposit], { simulation: true }, app.now);
  await freshProof();
  return deposit.paymentId;
}
/** What a token is made of, of a paid request, where a signer is ready. */
async function paidToken(plan: 'entry' | 'basic' = 'entry') {
  await app.worker('ethereum');
  const { api, id, secret } = await draft();
  const { orderId } = await api.tokenRequests.pay({ id, secret, plan, locale: 'es' });
  const invoice = fake.invoices.findLast((one) => one.orderId === orderId);
  if (!invoice) throw new Error('no invoice');
  fake.move(invoice, fake.newDepositId(), 'finished', { actuallyPaid: plan === 'entry' ? 100 : 3_000 });
  app.pass(11_000);
  await api.tokenRequests.check({ id, secret });
  await freshProof();
  return {
    requestId: id,
    tokenName: 'Ajolote',
    tokenSymbol: 'AJO',
    confirmation: 'AJO',
    network: 'ethereum' as const,
    totalSupply: '1000',
    ownerWallet: COMPLETE.ownerWalletAddress ?? '',
  };
}
const none = (): never => {
  throw new Error('nothing there');
};
/** One of the tasks of a paid order. */
async function task() {
  const { requestId } = await paidToken();
  const [{ id, version } = none()] = (await back.deliverables.list({ request: requestId })).rows;
  return { id, version };
}
async function paidPayment() {
  const { requestId } = await paidToken();
  const { payments, orderPath } = await back.tokenRequests.read({ id: requestId });
  const [{ id: paymentId, payCurrency } = none()] = payments;
  const key = orderPath.split('#')[1] ?? '';
  return { requestId, paymentId, key, asset: payCurrency ?? '' };
}
const REFUND_TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
async function openedRefund() {
  const { paymentId, asset, requestId, key } = await paidPayment();
  const refund = await back.refunds.open({ paymentId, asset, amount: '1', reason: 'Given back' });
  return { refund, who: { id: requestId, key, refundId: refund.id } };
}
async function addressedRefund() {
  const opened = await openedRefund();
  await guest().refunds.setAddress({ ...opened.who, address: REFUND_TO });
  const mail = (await app.deliverMails()).findLast(({ subject }) => subject.includes(opened.refund.number));
  return { ...opened, code: /\b(\d{8})\b/.exec(mail?.text ?? '')?.[1] ?? '' };
}
const publication = () => ({
  projectName: 'Luna',
  symbol: 'LUN',
  resemblanceAccepted: true,
  description: 'Una luna.',
  submitterName: 'Ana',
  submitterEmail: email(),
});
const candidate = () =>
  back.candidates.create({ tokenName: randomBytes(4).toString('hex'), tokenSymbol: 'CAN', resemblanceAccepted: true });
async function candidateWithVote() {
  const made = await candidate();
  await inRound();
  await app.as(await app.member()).voting.cast({ candidateId: made.id });
  return made;
}
/** Another scenario may have paused the vote. */
async function inRound() {
  if ((await back.rounds.current()).round === null) await back.rounds.open({ days: 15 });
}
/** Closes the open round, whichever it is. */
async function closeEarly() {
  await freshProof();
  const { round } = await back.rounds.current();
  return back.rounds.closeEarly({ id: round?.id ?? '', seenClosesAt: round?.closesAt ?? '', reason: 'Prueba' });
}
const freshProof = () => app.sql('update sessions set proved_at = $2 where user_id = $1', [admin.id, app.now]);
const pageTexts = () => ({
  titleEs: randomBytes(4).toString('hex'),
  bodyEs: 'Texto',
  titleEn: 'Title',
  bodyEn: 'Text',
});
/** The version of a page about the site after somebody wrote one more. */
const writtenPage = async (page: 'about' | 'terms') => {
  const version = (await back.sitePages.list()).find((one) => one.page === page)?.version ?? 0;
  return (await back.sitePages.save({ page, version, ...pageTexts() })).version;
};
const newsItem = () => back.news.create({ title: randomBytes(4).toString('hex'), content: 'Words' });
async function reported() {
  const { id } = await post();
  await app.as(await app.member()).forum.report({ what: 'post', id, reason: 'spam' });
  return id;
}
async function secondStep() {
  const ana = await newcomer({ verified: true });
  const { code } = await withSecondFactor(ana.browser);
  const other = app.browser({ address: address() });
  await expect(other.api.auth.signIn({ email: ana.email, password: PASSWORD })).rejects.toMatchObject({
    code: 'SECOND_FACTOR_NEEDED',
  });
  return () => other.api.account.provideSecondFactor({ code: code() });
}

const SCENARIOS: Record<string, Scenario> = {
  // First: later preparations stop the voting.
  'race.keepTicket': async () => {
    const { id: candidateId } = await app.candidate();
    const voter = app.as(await app.member());
    await voter.voting.cast({ candidateId });
    return () => voter.race.keepTicket({ candidateId });
  },
  'account.setUsername': async () => {
    const { api } = await newcomer();
    return () => api.account.setUsername({ username: `n${randomBytes(4).toString('hex')}` });
  },
  'account.setPresence': async () => {
    const { api } = await newcomer();
    return () => api.account.setPresence({ hide: true });
  },
  'account.sendVerification': async () => {
    const { api } = await newcomer();
    return () => api.account.sendVerification({ locale: 'es' });
  },
  'account.verifyEmail': async () => {
    const ana = await newcomer();
    const token = await newestToken(ana.email);
    return () => ana.api.account.verifyEmail({ token });
  },
  'account.changeEmail': async () => {
    const { api } = await newcomer();
    return () => api.account.changeEmail({ email: email(), password: PASSWORD, locale: 'es' });
  },
  'account.changePassword': async () => {
    const { api } = await newcomer();
    return () => api.account.changePassword({ current: PASSWORD, next: 'another-one', locale: 'es' });
  },
  'account.revokeSession': async () => {
    const ana = await newcomer();
    await app.browser({ address: address() }).api.auth.signIn({ email: ana.email, password: PASSWORD });
    const other = (await ana.api.account.sessions()).find(({ current }) => !current);
    return () => ana.api.account.revokeSession({ id: other?.id ?? '' });
  },
  'account.revokeOtherSessions': async () => {
    const ana = await newcomer();
    await app.browser({ address: address() }).api.auth.signIn({ email: ana.email, password: PASSWORD });
    return () => ana.api.account.revokeOtherSessions();
  },
  'account.startSecondFactor': async () => {
    const { api } = await newcomer({ verified: true });
    return () => api.account.startSecondFactor({ password: PASSWORD });
  },
  'account.confirmSecondFactor': async () => {
    const { browser } = await newcomer({ verified: true });
    return () => withSecondFactor(browser);
  },
  'account.removeSecondFactor': async () => {
    const { browser, api } = await newcomer({ verified: true });
    const { recoveryCodes } = await withSecondFactor(browser);
    return () => api.account.removeSecondFactor({ password: PASSWORD, code: recoveryCodes[0] ?? '', locale: 'es' });
  },
  'account.prove': async () => {
    const { api } = await newcomer();
    return () => api.account.prove({ password: PASSWORD });
  },
  'account.passkeys.add': async () => {
    const { api } = await newcomer({ verified: true });
    const device = authenticator({ origin: 'http://localhost', rpId: 'localhost' });
    await api.account.prove({ password: PASSWORD });
    const options = await api.account.passkeys.startAdding();
    return () => api.account.passkeys.add({ response: device.create(options), name: 'Laptop' });
  },
  'account.passkeys.rename': async () => {
    const { passkeys, id } = await withPasskey();
    return () => passkeys.rename({ id, name: 'Phone' });
  },
  'account.passkeys.remove': async () => {
    const { passkeys, id } = await withPasskey();
    return () => passkeys.remove({ id });
  },
  'account.passkeys.prove': async () => {
    const { passkeys, device } = await withPasskey();
    const options = await passkeys.startProof();
    return () => passkeys.prove({ response: device.sign(options) });
  },
  'account.passkeys.signIn': async () => {
    const { device } = await withPasskey();
    const options = await guest().account.passkeys.startSignIn();
    return () => guest().account.passkeys.signIn({ response: device.sign(options) });
  },
  'account.passkeys.secondStep': async () => {
    const { device, email: to } = await withPasskey();
    const browser = app.browser({ address: address() });
    await browser.api.auth.signIn({ email: to, password: PASSWORD }).catch(() => {});
    const options = await browser.api.account.passkeys.startSecondStep();
    return () => browser.api.account.passkeys.secondStep({ response: device.sign(options) });
  },
  'account.remove': async () => {
    const { api } = await newcomer();
    return () => api.account.remove({ password: PASSWORD });
  },
  'account.requestPasswordReset': async () => {
    const ana = await newcomer();
    return () => guest().account.requestPasswordReset({ email: ana.email, locale: 'es' });
  },
  'account.resetPassword': async () => {
    const ana = await newcomer();
    await guest().account.requestPasswordReset({ email: ana.email, locale: 'es' });
    const token = await newestToken(ana.email);
    return () => guest().account.resetPassword({ token, password: 'another-one', locale: 'es' });
  },
  'account.requestSignInCode': async () => {
    const ana = await newcomer();
    return () => guest().account.requestSignInCode({ email: ana.email, locale: 'es' });
  },
  'account.signInWithCode': async () => {
    const ana = await newcomer({ verified: true });
    const { api } = app.browser({ address: address() });
    await api.account.requestSignInCode({ email: ana.email, locale: 'es' });
    const code = await newestCode(ana.email);
    return () => api.account.signInWithCode({ email: ana.email, code });
  },
  'account.provideSecondFactor': secondStep,

  'admin.inbox.take': async () => {
    const id = await reported();
    return () => back.inbox.take({ source: 'report', id });
  },
  'admin.inbox.release': async () => {
    const id = await reported();
    await back.inbox.take({ source: 'report', id });
    return () => back.inbox.release({ source: 'report', id });
  },
  'admin.inbox.resolveReport': async () => {
    const id = await reported();
    return () => back.inbox.resolveReport({ id, decision: 'kept' });
  },
  'admin.inbox.settleJob': async () => {
    await app.services.jobs.start();
    await app.services.db.transaction((tx) => app.services.jobs.enqueue(tx, 'follow-payment', { eventId: 0 }));
    const [job] = await app.sql<{ id: string }>(
      `update jobs.job set state = 'failed', completed_on = now() where name = 'follow-payment' returning id`,
    );
    return () => back.inbox.settleJob({ id: job?.id ?? '', decision: 'retry' });
  },
  'admin.voteReview.release': async () => {
    const { id } = await cluster();
    return () => back.voteReview.release({ id });
  },
  'admin.voteReview.void': async () => {
    const { id } = await cluster();
    return () => back.voteReview.void({ id, reason: 'a farm' });
  },
  'admin.voteReview.undo': async () => {
    const { id } = await cluster();
    await back.voteReview.release({ id });
    return () => back.voteReview.undo({ id });
  },
  'ownership.start': async () => {
    const { api, record } = await ownToken();
    return () => api.ownership.start({ ...record, method: 'dns' });
  },
  'ownership.check': async () => {
    const { api, record } = await ownToken();
    const { id } = await api.ownership.start({ ...record, method: 'file' });
    return () => api.ownership.check({ id });
  },
  'ownership.giveUp': async () => {
    const { api, record } = await ownToken();
    const { id } = await api.ownership.start({ ...record, method: 'file' });
    return () => api.ownership.giveUp({ id });
  },
  'ownership.proveWallet': async () => {
    const creator = await app.member();
    const { id: requestId } = await app.as(creator).tokenRequests.create({ data: COMPLETE });
    const wallet = privateKeyToAccount(generatePrivateKey());
    await createdToken(app, requestId, { network: 'ethereum', owner: wallet.address });
    const { id } = await back.showcase.add({ requestId, resemblanceAccepted: true, as: 'candidate' });
    const { api } = app.browser({ person: creator });
    const asked = await api.ownership.startWallet({ kind: 'candidate', id, address: wallet.address });
    const signature = await wallet.signMessage({ message: asked.message });
    return () => api.ownership.proveWallet({ nonce: asked.nonce, signature });
  },
  'admin.ownership.start': async () => {
    const { record } = await ownToken();
    return () => back.ownership.start({ ...record, method: 'dns' });
  },
  'admin.ownership.check': async () => {
    const { record } = await ownToken();
    const { id } = await back.ownership.start({ ...record, method: 'dns' });
    return () => back.ownership.check({ id });
  },
  'admin.ownership.withdraw': async () => {
    const { record } = await ownToken();
    const { id } = await back.ownership.start({ ...record, method: 'dns' });
    return async () => (await freshAdmin()).ownership.withdraw({ id, reason: 'The site was sold' });
  },
  'admin.networks.create': async () => network,
  'admin.networks.update': async () => {
    const { id, version, symbol } = await network();
    return () => back.networks.update({ id, version, symbol, name: randomBytes(4).toString('hex'), isActive: false });
  },
  'admin.networks.remove': async () => {
    const { id, version } = await network();
    return () => back.networks.remove({ id, version });
  },
  'admin.networks.restore': async () => {
    const { id, version } = await network();
    await back.networks.remove({ id, version });
    return () => back.networks.restore({ id });
  },
  'admin.projects.create': async () => project,
  'admin.projects.update': async () => {
    const { id, version } = await project();
    return () => back.projects.update({ id, version, description: 'Changed' });
  },
  'admin.projects.setTop3': async () => {
    const { id } = await project();
    return () => back.projects.setTop3({ id, on: true });
  },
  'admin.projects.remove': async () => {
    const { id, version } = await project();
    return () => back.projects.remove({ id, version });
  },
  'admin.projects.restore': async () => {
    const { id, version } = await project();
    await back.projects.remove({ id, version });
    return () => back.projects.restore({ id });
  },
  'admin.nextProjects.create': async () => nextProject,
  'admin.nextProjects.update': async () => {
    const { id, version } = await nextProject();
    return () => back.nextProjects.update({ id, version, status: 'launched' });
  },
  'admin.nextProjects.remove': async () => {
    const { id, version } = await nextProject();
    return () => back.nextProjects.remove({ id, version });
  },
  'admin.nextProjects.restore': async () => {
    const { id, version } = await nextProject();
    await back.nextProjects.remove({ id, version });
    return () => back.nextProjects.restore({ id });
  },

  'admin.candidates.create': async () => candidate,
  'admin.candidates.update': async () => {
    const { id, version, tokenName, tokenSymbol } = await candidate();
    const none = { description: null, imageUrl: null, descriptionFull: null, contractAddress: null, adminNotes: 'New' };
    const links = { websiteUrl: null, telegramUrl: null, twitterUrl: null, discordUrl: null };
    const market = {
      price: 1,
      volume24h: null,
      marketCap: null,
      swapsCount: null,
      maxSupply: null,
      holdersCount: null,
    };
    const pools = { tokensInSwap: null, tokensWithHolders: null, solInLiquidity: null, tokensInSolPool: null };
    const rest = { warInLiquidity: null, tokensInWarPool: null, lockedAmount: null, lockedValue: null };
    const fields = {
      ...none,
      ...links,
      ...market,
      ...pools,
      ...rest,
      burntPercentage: null,
      network: null,
      orderIndex: 1,
      isActive: true,
    };
    return () => back.candidates.update({ id, version, tokenName, tokenSymbol, ...fields });
  },
  'admin.candidates.setActive': async () => {
    const { id } = await candidate();
    return () => back.candidates.setActive({ id, isActive: false });
  },
  'admin.candidates.remove': async () => {
    const { id, version } = await candidate();
    return () => back.candidates.remove({ id, version });
  },
  'admin.candidates.restore': async () => {
    const { id, version } = await candidate();
    await back.candidates.remove({ id, version });
    return () => back.candidates.restore({ id });
  },
  'admin.candidates.resetVotes': async () => {
    const { id } = await candidateWithVote();
    await freshProof();
    return () => back.candidates.resetVotes({ id });
  },
  'admin.candidates.undoReset': async () => {
    const { id } = await candidateWithVote();
    await freshProof();
    const { resetId } = await back.candidates.resetVotes({ id });
    return () => back.candidates.undoReset({ id, resetId: resetId ?? '' });
  },
  'admin.editorial.setSchedule': async () => {
    const { id, version } = await newsItem();
    const publishAt = new Date(Date.now() + 86_400_000).toISOString();
    return () => back.editorial.setSchedule({ kind: 'news', id, version, publishAt, expireAt: null });
  },
  'admin.editorial.restoreVersion': async () => {
    const { id, version } = await newsItem();
    await back.news.update({ id, version, title: 'Edited', content: 'Edited' });
    return () => back.editorial.restoreVersion({ kind: 'news', id, version: version + 1, restore: version });
  },
  'admin.editorial.makePreview': async () => {
    const { id } = await newsItem();
    return () => back.editorial.makePreview({ kind: 'news', id });
  },
  'admin.news.create': async () => newsItem,
  'admin.news.update': async () => {
    const { id, version } = await newsItem();
    return () => back.news.update({ id, version, title: 'Edited', content: 'Edited' });
  },
  'admin.news.remove': async () => {
    const { id, version } = await newsItem();
    return () => back.news.remove({ id, version });
  },
  'admin.sitePages.save': async () => {
    const seen = { page: 'about', version: await writtenPage('about') } as const;
    return () => back.sitePages.save({ ...seen, ...pageTexts() });
  },
  'admin.sitePages.restore': async () => {
    const restore = await writtenPage('terms');
    const { version } = await back.sitePages.save({ page: 'terms', version: restore, ...pageTexts() });
    return () => back.sitePages.restore({ page: 'terms', version, restore });
  },
  'admin.news.restore': async () => {
    const { id, version } = await newsItem();
    await back.news.remove({ id, version });
    return () => back.news.restore({ id });
  },
  'admin.rounds.setEnd': async () => {
    const { round } = await back.rounds.current();
    const closesAt = new Date(Date.parse(round?.closesAt ?? '') + 86_400_000 * 3_650).toISOString();
    return () => back.rounds.setEnd({ id: round?.id ?? '', seenClosesAt: round?.closesAt ?? '', closesAt });
  },
  'admin.rounds.promoteWinner': async () => {
    await candidateWithVote();
    await closeEarly();
    const { winner } = await back.rounds.current();
    return () => back.rounds.promoteWinner({ id: winner?.roundId ?? '', candidateId: winner?.id ?? '' });
  },
  'admin.rounds.closeEarly': async () => () => closeEarly(),
  'admin.rounds.setNext': async () => {
    const { round } = await back.rounds.current();
    return () => back.rounds.setNext({ id: round?.id ?? '', nextDays: 9 });
  },
  'admin.rounds.open': async () => {
    const { round } = await back.rounds.current();
    await back.rounds.setNext({ id: round?.id ?? '', nextDays: null });
    await closeEarly();
    return () => back.rounds.open({ days: 10 });
  },

  'auth.signUp': async () => () => newcomer(),
  'auth.signIn': async () => {
    const ana = await newcomer();
    return () => guest().auth.signIn({ email: ana.email, password: PASSWORD });
  },
  'auth.signOut': async () => {
    const { api } = await newcomer();
    return () => api.auth.signOut();
  },
  'auth.linkAdmin': async () => {
    const ana = await newcomer({ verified: true });
    await app.sql('insert into admin_users (email) values ($1)', [ana.email]);
    return () => ana.api.auth.linkAdmin({ email: ana.email });
  },
  'auth.linkForumUser': async () => {
    const ana = await newcomer({ verified: true });
    const [profile] = await app.sql<{ id: string }>(
      `insert into forum_users (username, wallet_address, migration_status, legacy_email)
       values ($1, $1, 'pending', $2) returning id`,
      [`old${randomBytes(3).toString('hex')}`, ana.email],
    );
    return () => ana.api.auth.linkForumUser({ forumUserId: profile?.id ?? '' });
  },

  'admin.forum.hide': async () => {
    const { id } = await post();
    return () => back.forum.hide({ what: 'post', ids: [id], ...BECAUSE });
  },
  'admin.forum.decideAppeal': async () => {
    const { author, id } = await comment();
    const other = app.as(await app.member({ role: 'admin' })).admin.forum;
    await other.hide({ what: 'comment', ids: [id], ...BECAUSE });
    const removal = (await author.forum.myRemovals())[0]?.id ?? '';
    await author.forum.appeal({ id: removal, text: 'No es justo' });
    return () => back.forum.decideAppeal({ id: removal, outcome: 'upheld', answer: 'Mirado' });
  },
  'admin.forum.restore': async () => {
    const { id } = await comment();
    await back.forum.hide({ what: 'comment', ids: [id], ...BECAUSE });
    return () => back.forum.restore({ what: 'comment', ids: [id] });
  },
  'admin.moderatorRequests.decide': async () => {
    const { id } = await app.member();
    await app.sql(
      `update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`,
      [id],
    );
    const proven = await freshAdmin();
    return () => proven.moderatorRequests.decide({ ids: [id], decision: 'reject' });
  },
  'admin.roles.assign': async () => {
    const [{ id }, proven] = [await app.member(), await freshAdmin()];
    return () => proven.roles.assign({ id, role: 'moderator' });
  },
  'admin.roles.remove': async () => {
    const [{ id }, proven] = [await app.member({ role: 'moderator' }), await freshAdmin()];
    return () => proven.roles.remove({ id });
  },
  'admin.users.create': async () => () => back.users.create({ email: email() }),
  'admin.users.update': async () => {
    const [{ id, email: to }, proven] = [await app.member(), await freshAdmin()];
    const version = (await back.users.list({ q: id })).rows[0]?.version ?? 0;
    return () => proven.users.update({ id, version, email: to, username: `n${randomBytes(4).toString('hex')}` });
  },
  'admin.users.confirm': async () => {
    const { id } = await app.member();
    return () => back.users.confirm({ ids: [id] });
  },
  'admin.users.promote': async () => {
    const [{ id }, proven] = [await app.member(), await freshAdmin()];
    await back.users.confirm({ ids: [id] });
    return () => proven.users.promote({ ids: [id] });
  },
  'admin.users.ban': async () => {
    const [{ id }, proven] = [await app.member(), await freshAdmin()];
    return () => proven.users.ban({ ids: [id], days: 1, reason: 'spam' });
  },
  'admin.users.unban': async () => {
    const { id } = await app.member();
    await app.sql(`update users set banned_until = 'infinity' where id = $1`, [id]);
    return () => back.users.unban({ ids: [id] });
  },
  'admin.users.revokeSessions': async () => {
    const { id } = await app.member();
    return () => back.users.revokeSessions({ ids: [id] });
  },
  'admin.users.resetPassword': async () => {
    const { id } = await app.member();
    return () => back.users.resetPassword({ ids: [id] });
  },
  'admin.users.remove': async () => {
    const [{ id }, proven] = [await app.member(), await freshAdmin()];
    return () => proven.users.remove({ ids: [id], reason: 'asked for it' });
  },

  'forum.create': async () => post,
  'forum.editPost': async () => {
    const { author, id } = await post();
    return () => author.forum.editPost({ id, title: 'Edited', content: 'Edited' });
  },
  'forum.deletePost': async () => {
    const { author, id } = await post();
    return () => author.forum.deletePost({ id });
  },
  'forum.comment': async () => comment,
  'forum.editComment': async () => {
    const { author, id } = await comment();
    return () => author.forum.editComment({ id, content: 'Edited' });
  },
  'forum.deleteComment': async () => {
    const { author, id } = await comment();
    return () => author.forum.deleteComment({ id });
  },
  'forum.appeal': async () => {
    const { author, id } = await comment();
    await back.forum.hide({ what: 'comment', ids: [id], ...BECAUSE });
    const removal = (await author.forum.myRemovals())[0]?.id ?? '';
    return () => author.forum.appeal({ id: removal, text: 'No es justo' });
  },
  'forum.withdraw': async () => {
    const { author, id } = await post();
    await holdText(app, 'post', id);
    return () => author.forum.withdraw({ id });
  },
  'forum.release': async () => {
    const id = await holdText(app, 'post', (await post()).id);
    const moderator = app.as(await app.member({ role: 'moderator' }));
    return () => moderator.forum.release({ id });
  },
  'forum.decline': async () => {
    const id = await holdText(app, 'post', (await post()).id);
    const moderator = app.as(await app.member({ role: 'moderator' }));
    return () => moderator.forum.decline({ id, ...BECAUSE });
  },
  'forum.setTrust': async () => {
    const [{ id }, moderator] = [await app.member(), app.as(await app.member({ role: 'moderator' }))];
    return () => moderator.forum.setTrust({ userId: id, level: 2, reason: 'Known' });
  },
  'forum.undoTrust': async () => {
    const [{ id }, moderator] = [await app.member(), app.as(await app.member({ role: 'moderator' }))];
    const { changes } = await moderator.forum.setTrust({ userId: id, level: 2, reason: 'Known' });
    return () => moderator.forum.undoTrust({ userId: id, changeId: changes[0]?.id ?? '', reason: 'A mistake' });
  },
  'forum.report': async () => {
    const { id } = await post();
    const reader = app.as(await app.member());
    return () => reader.forum.report({ what: 'post', id, reason: 'abuse' });
  },

  'media.remove': async () => {
    const ana = await app.member();
    const { id } = await upload({ cookie: ana.cookie });
    return () => app.as(ana).media.remove({ id });
  },
  'profiles.setSettings': async () => {
    const ana = app.as(await app.member());
    return () => ana.profiles.setSettings({ showPage: true, showVotes: false, showFollows: false });
  },
  'profiles.restrict': async () => {
    const [ana, { username }] = [app.as(await app.member()), await app.member()];
    return () => ana.profiles.restrict({ name: username, level: 'mute' });
  },
  'saved.set': async () => {
    const [ana, { id }] = [app.as(await app.member()), await app.project()];
    return () => ana.saved.set({ kind: 'project', id, saved: true });
  },
  'saved.merge': async () => {
    const [ana, { id }] = [app.as(await app.member()), await app.project()];
    return () => ana.saved.merge({ refs: [{ kind: 'project', id }] });
  },
  'notifications.setKind': async () => {
    const ana = app.as(await app.member());
    return () => ana.notifications.setKind({ kind: 'replies', inApp: true, mail: 'daily', push: false });
  },
  'notifications.setReader': async () => {
    const ana = app.as(await app.member());
    return () => ana.notifications.setReader({ locale: 'en', zone: 'UTC', quiet: { from: 60, to: 120 } });
  },
  'notifications.subscribe': async () => {
    const ana = app.as(await app.member());
    return () => ana.notifications.subscribe(pushBrowser());
  },
  'notifications.unsubscribe': async () => {
    const ana = app.as(await app.member());
    const { endpoint, ...keys } = pushBrowser();
    await ana.notifications.subscribe({ endpoint, ...keys });
    return () => ana.notifications.unsubscribe({ endpoint });
  },
  'saved.setNotice': async () => {
    const [ana, { id }] = [app.as(await app.member()), await app.project()];
    await ana.saved.set({ kind: 'project', id, saved: true });
    return () => ana.saved.setNotice({ kind: 'project', id, on: true });
  },

  'admin.submissions.review': async () => {
    const { id } = await guest().submissions.create(publication());
    return () => back.submissions.review({ id, version: 1, status: 'approved', adminNotes: '' });
  },
  'admin.submissions.publish': async () => {
    const { id } = await guest().submissions.create(publication());
    return () =>
      back.submissions.publish({ id, version: 1, as: 'next_project', adminNotes: '', resemblanceAccepted: true });
  },
  'admin.tokenRequests.askProvider': async () => {
    const paymentId = await shortPayment();
    return () => back.tokenRequests.askProvider({ paymentId });
  },
  'admin.tokenRequests.acceptPayment': async () => {
    const paymentId = await shortPayment();
    return () => back.tokenRequests.acceptPayment({ paymentId, reason: 'Close enough' });
  },
  'admin.tokenRequests.addAcceptance': async () => {
    const paymentId = await shortPayment();
    const signed = await signedAcceptance(app, paymentId);
    return () => back.tokenRequests.addAcceptance({ paymentId, signed });
  },
  'admin.people.addNote': async () => {
    const { id } = await app.member();
    return () => back.people.addNote({ id, text: 'Called back' });
  },
  'admin.people.removeNote': async () => {
    const { id } = await back.people.addNote({ id: (await app.member()).id, text: 'Called back' });
    return () => back.people.removeNote({ id });
  },
  'admin.people.look': async () => {
    const own = (await freshAdmin()).people;
    const { id } = await app.member();
    return () => own.look({ id, reason: 'Asked for help' });
  },
  'admin.settings.save': async () => {
    const own = (await freshAdmin()).settings;
    return () => own.save({ changes: [{ name: 'votesPerMinute', version: 0, value: 21 }] });
  },
  'admin.settings.testMail': async () => {
    const own = (await freshAdmin()).settings;
    return () => own.testMail();
  },
  'admin.settings.testPayment': async () => {
    const own = (await freshAdmin()).settings;
    return () => own.testPayment();
  },
  'admin.settlement.run': async () => () => back.settlement.run(),
  'admin.settlement.explain': async () => {
    const [row] = await app.sql<{ id: string }>(
      `insert into settlement_differences (kind, subject, ours, theirs, found_at, seen_at)
       values ('totals', gen_random_uuid(), '1', '2', now(), now()) returning id`,
    );
    await freshProof();
    return () => back.settlement.explain({ id: row?.id ?? '', version: 1, reason: 'Rounded' });
  },
  'admin.unplaced.place': async () => {
    const paymentId = await shortPayment();
    const [{ order_id: orderId } = { order_id: '' }] = await app.sql<{ order_id: string }>(
      'select order_id from payments where id = $1',
      [paymentId],
    );
    const id = await unplaced();
    return () => back.unplaced.place({ id, version: 1, orderId, reason: 'Theirs' });
  },
  'admin.unplaced.refund': async () => {
    const paymentId = await shortPayment();
    const [{ order_id: orderId } = { order_id: '' }] = await app.sql<{ order_id: string }>(
      'select order_id from payments where id = $1',
      [paymentId],
    );
    const id = await unplaced();
    return () => back.unplaced.refund({ id, version: 1, orderId, reason: 'Not ours' });
  },
  'admin.unplaced.settle': async () => {
    const id = await unplaced();
    return () => back.unplaced.settle({ id, version: 1, reason: 'Given back' });
  },
  'admin.tokenRequests.close': async () => {
    const { requestId: id } = await paidToken();
    return () => back.tokenRequests.close({ id, as: 'cancelled', note: 'Given back' });
  },
  'admin.tokenRequests.reopen': async () => {
    const { requestId: id } = await paidToken();
    await back.tokenRequests.close({ id, as: 'cancelled', note: 'Given back' });
    return () => back.tokenRequests.reopen({ id });
  },
  'admin.tokenRequests.replaceLink': async () => {
    const { requestId: id } = await paidToken();
    return () => back.tokenRequests.replaceLink({ id });
  },
  'admin.tokenRequests.createToken': async () => {
    const input = await paidToken();
    await payerConfirms(app, back.tokenRequests, input);
    return () => back.tokenRequests.createToken(input);
  },
  'admin.tokenRequests.proposeToken': async () => {
    const input = { ...(await paidToken()), tokenName: 'Ajolotes' };
    return () => back.tokenRequests.proposeToken(input);
  },
  'admin.tokenRequests.approveToken': async () => {
    const input = await paidToken();
    await payerConfirms(app, back.tokenRequests, input);
    const { approval } = await back.tokenRequests.read({ id: input.requestId });
    const { id = '', hash = '' } = approval.proposal ?? {};
    return () => back.tokenRequests.approveToken({ requestId: input.requestId, proposalId: id, hash });
  },
  'tokenRequests.answerProposal': async () => {
    const { requestId: id, key } = await paidPayment();
    const request = await back.tokenRequests.read({ id });
    const token = { requestId: id, tokenSymbol: 'AJO', confirmation: 'AJO', network: 'ethereum' as const };
    await back.tokenRequests.proposeToken({
      ...token,
      tokenName: 'Ajolotes',
      totalSupply: '1000',
      ownerWallet: request.ownerWallet,
    });
    const [asked = none()] = (await back.tokenRequests.read({ id })).proposals;
    return () => guest().tokenRequests.answerProposal({ id, key, proposalId: asked.id, answer: 'confirmed' });
  },
  'admin.tokenRequests.retryCreation': async () => {
    const input = await paidToken();
    await payerConfirms(app, back.tokenRequests, input);
    await back.tokenRequests.createToken(input);
    await app.sql("update token_creations set state = 'held', problem = 'unreachable' where submission_id = $1", [
      input.requestId,
    ]);
    return () => back.tokenRequests.retryCreation({ requestId: input.requestId });
  },
  'admin.showcase.add': async () => {
    const { requestId } = await paidToken();
    await createdToken(app, requestId);
    return () => back.showcase.add({ requestId, resemblanceAccepted: true, as: 'next' });
  },
  'admin.deliverables.assign': async () => {
    const seen = await task();
    return () => back.deliverables.assign({ ...seen, owner: 'me' });
  },
  'admin.deliverables.deliver': async () => {
    const seen = await task();
    return () =>
      back.deliverables.deliver({ ...seen, kind: 'url', evidence: `https://example.org/${seen.id}`, note: 'Done' });
  },
  'admin.deliverables.startPlace': async () => {
    const { requestId } = await paidToken('basic');
    await createdToken(app, requestId, { network: 'ethereum' });
    const { id: project } = await back.showcase.add({ requestId, as: 'project' });
    await app.sql("update projects set status = 'published_home' where id = $1", [project]);
    const { rows } = await back.deliverables.list({ request: requestId, item: 'spotlightWeek' });
    const { id, version } = rows[0] ?? none();
    return () => back.deliverables.startPlace({ id, version, kind: 'home', project });
  },
  'admin.deliverables.withdraw': async () => {
    const seen = await task();
    return () => back.deliverables.withdraw({ ...seen, reason: 'Not possible', refund: 'no' });
  },
  'admin.deliverables.saveTerms': async () => {
    const [{ item, version, dueFrom, dueDays, ifNotEs, ifNotEn, offered } = none()] = await back.deliverables.terms();
    return () =>
      back.deliverables.saveTerms({ item, version, dueFrom, dueDays: dueDays + 1, ifNotEs, ifNotEn, offered });
  },
  'admin.refunds.open': async () => {
    const { paymentId, asset } = await paidPayment();
    return () => back.refunds.open({ paymentId, asset, amount: '1', reason: 'Given back' });
  },
  'admin.refunds.send': async () => {
    const { who, refund, code } = await addressedRefund();
    await guest().refunds.confirmAddress({ ...who, code });
    return () =>
      back.refunds.send({
        id: refund.id,
        version: refund.version + 2,
        transaction: `0x${randomBytes(32).toString('hex')}`,
        byProvider: false,
      });
  },
  'admin.refunds.withdraw': async () => {
    const { refund } = await openedRefund();
    return () => back.refunds.withdraw({ id: refund.id, version: refund.version, reason: 'A mistake' });
  },
  'refunds.setAddress': async () => {
    const { who } = await openedRefund();
    return () => guest().refunds.setAddress({ ...who, address: REFUND_TO });
  },
  'refunds.confirmAddress': async () => {
    const { who, code } = await addressedRefund();
    return () => guest().refunds.confirmAddress({ ...who, code });
  },
  'admin.tokenRequests.notePayment': async () => {
    const paymentId = await shortPayment();
    return () => back.tokenRequests.notePayment({ paymentId, note: 'Given back' });
  },
  'submissions.create': async () => {
    app.pass(120_000);
    return () => guest().submissions.create(publication());
  },
  'submissions.removeImage': async () => {
    const claim = randomBytes(32).toString('base64url');
    const { id } = await upload({ 'x-claim': claim });
    return () => guest().submissions.removeImage({ id, claim });
  },
  'tokenRequests.create': async () => draft,
  'tokenRequests.removeImage': async () => {
    const { api, id, secret } = await draft();
    const image = await upload({ 'x-draft': `${id}.${secret}` });
    return () => api.tokenRequests.removeImage({ id, secret, imageId: image.id });
  },
  'tokenRequests.pay': async () => {
    const { api, id, secret } = await draft();
    return () => api.tokenRequests.pay({ id, secret, plan: 'basic', locale: 'es' });
  },
  'tokenRequests.replaceLink': async () => {
    const { api, id, orderKey } = await draft();
    return () => api.tokenRequests.replaceLink({ id, key: orderKey, locale: 'es' });
  },
  'tokenRequests.renew': async () => {
    const { api, id, secret, orderKey } = await draft();
    await api.tokenRequests.pay({ id, secret, plan: 'basic', locale: 'es' });
    await app.sql(`update payments set state = 'expired', expires_at = $2 where submission_id = $1`, [id, app.now]);
    return () => api.tokenRequests.renew({ id, key: orderKey, locale: 'es' });
  },
  'voting.withdraw': async () => {
    const [voter, { id }] = [app.as(await app.member()), await app.candidate()];
    await inRound();
    await voter.voting.cast({ candidateId: id });
    return () => voter.voting.withdraw({ candidateId: id });
  },
};

/** Every procedure that is no GET. */
const WRITES: string[] = [];
traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
  if (procedure['~orpc'].route.method !== 'GET') WRITES.push(path.join('.'));
});

const newest = async () =>
  Number((await app.sql<{ id: string }>('select coalesce(max(id), 0) as id from audit_events'))[0]?.id);

describe('every write of the API', () => {
  it('has a scenario here or a reason to leave no entry, and nothing else has [SEC-27] [SEC-29]', () => {
    expect([...Object.keys(SCENARIOS), ...Object.keys(WITHOUT_ENTRY)].sort()).toEqual(WRITES.sort());
  });

  it.each(Object.entries(SCENARIOS))('%s leaves an entry that says what and of what', async (_name, prepare) => {
    const act = await prepare();
    const before = await newest();
    await act();
    const entries = await app.sql('select * from audit_events where id > $1 order by id', [before]);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      expect(entry['action']).toMatch(/^[a-z0-9_]+\.[a-z0-9_]+$/);
      expect(entry['resource_type']).toBeTruthy();
      // Of these each has words in both languages: AuditField's type holds them.
      for (const fields of [entry['before'], entry['after']])
        if (fields !== null) expect(AUDIT_FIELDS).toEqual(expect.arrayContaining(Object.keys(fields as object)));
    }
  });

  it('and everybody’s export of their data is done beside all others, eight at once', {
    timeout: 400_000,
  }, async () => {
    const members = await app.members(40);
    const acts: [string, Act][] = [];
    for (const [name, prepare] of Object.entries(SCENARIOS)) {
      await freshProof();
      acts.push([name, await prepare()]);
      const member = members.pop();
      if (member) acts.push(['account.export', () => app.as(member).account.export()]);
    }
    await freshProof();
    let next = 0;
    let done = 0;
    const failed: unknown[] = [];
    const writer = async () => {
      for (let act = acts[next++]; act; act = acts[next++]) {
        const [name, run] = act;
        try {
          await run();
          done++;
        } catch (error) {
          // A refusal is an answer: one act may be in the way of another.
          if (!(error instanceof ORPCError) || error.status >= 500) failed.push([name, errorText(error)]);
          if (name === 'account.export') failed.push([name, errorText(error)]);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    expect(failed).toEqual([]);
    expect(done).toBeGreaterThan(acts.length / 2);
  });

  it('names the filters of an exported list as the screens do', () => {
    const lists: string[] = [];
    traverseContractProcedures({ router: contract.admin, path: [] }, ({ contract: procedure, path }) => {
      const schema = procedure['~orpc'].inputSchema;
      if (path.at(-1) !== 'list' || !(schema instanceof z.ZodObject)) return;
      lists.push(path.join('.'));
      const filters = Object.keys(schema.shape).filter((name) => !['page', 'size', 'cursor'].includes(name));
      expect(AUDIT_FIELDS, path.join('.')).toEqual(expect.arrayContaining(filters));
    });
    expect(lists.length).toBeGreaterThan(10);
  });
});
