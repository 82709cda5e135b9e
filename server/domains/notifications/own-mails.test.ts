// Notifications of orders, decisions and security have a mail of their own, as the settings show. Each real action causes one
// notification and one mail. Those of orders are in order-steps.test.ts.
import { afterAll, expect, it } from 'vitest';
import type { NotificationDetail } from '#contract/domains/notifications.ts';
import { PROOF_REMINDER_DAYS } from '#contract/limits.ts';
import type { MailTemplate } from '#contract/mail-templates.ts';
import { checkProofs } from '#server/domains/ownership/recheck.service.ts';
import { authenticator } from '#tests/support/app/authenticator.ts';
import { holdText } from '#tests/support/app/held-text.ts';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { type Person, startTestApp, type TestApp } from '#tests/support/app/test-app.ts';
import { evmWallet } from '#tests/support/chains/wallets.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';
import { startOwnershipServers } from '#tests/support/services/ownership-servers.ts';

const world = await startOwnershipServers();
afterAll(() => world.close());
const app = await startTestApp({ proofs: world.checks });
/** Passkeys and wallets need a site with https, whose cookies have other names. */
const secure = await startTestApp({ publicUrl: 'https://florka.test' });
const people = peopleOf(secure);
const admin = await app.member({ role: 'admin' });
const colleague = await app.member({ role: 'admin' });
const [back, other] = [app.as(admin).admin, app.as(colleague).admin];
/** Step-up of the admins. */
const prove = () =>
  app.sql('update sessions set proved_at = now() where user_id = any($1::uuid[])', [[admin.id, colleague.id]]);

const DAY = 86_400_000;
const NEXT = 'another-password-1';
let serial = 0;

/** The member whom an action notifies, and the mailbox that its mail goes to. */
interface Notified {
  /** Where it happens, if not in `app`. */
  site?: TestApp;
  api: { notifications: { list(input: object): Promise<{ items: { kind: string; detail: string }[] }> } };
  mailbox: string;
}
interface OwnMail {
  template: MailTemplate;
  /** Prepares everything before the action. @returns the action, not performed yet. */
  ready(): Promise<Notified & { action(): Promise<unknown> }>;
}
const newcomer = async () => {
  const ana = await people.newcomer({ verified: true });
  return { ...ana, site: secure, mailbox: ana.email };
};
/** A member after a step-up with the password. */
const proved = async () => {
  const ana = await newcomer();
  await ana.api.account.prove({ password: PASSWORD });
  return ana;
};
const member = async () => {
  const ana = await app.member({ verified: true });
  return { ana, api: app.as(ana), mailbox: ana.email };
};
const post = (one: Person) => {
  app.pass(120_000);
  return app.as(one).forum.create({ title: `Nota ${++serial}`, content: `Texto ${serial}` });
};

async function submission(status: 'approved' | 'rejected') {
  const { ana, ...rest } = await member();
  const [row] = await app.sql<{ id: string }>(
    `insert into project_submissions (submitter_name, submitter_email, status, project_data, reference)
     values ('Ana', $1, 'new', '{}', $2) returning id`,
    [ana.email, `PR-${String(++serial).padStart(10, '0')}`],
  );
  const action = () => back.submissions.review({ id: row?.id ?? '', version: 1, status, adminNotes: '' });
  return { ...rest, action };
}
async function moderatorRequest(decision: 'approve' | 'reject') {
  const { ana, ...rest } = await member();
  await app.sql(`update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`, [
    ana.id,
  ]);
  const decide = () => back.moderatorRequests.decide({ ids: [ana.id], decision });
  return { ...rest, action: () => Promise.all([decide(), decide()]) };
}
async function held() {
  const { ana, ...rest } = await member();
  const { id } = await post(ana);
  await holdText(app, 'post', id);
  return { ...rest, id };
}
async function removed() {
  const { ana, api, ...rest } = await member();
  const { id } = await post(ana);
  await back.forum.hide({ what: 'post', ids: [id], ...REMOVAL_REASON });
  const removal = (await api.forum.myRemovals())[0]?.id ?? '';
  return { ...rest, api, removal };
}
async function appealed(outcome: 'upheld' | 'reversed') {
  const { removal, ...rest } = await removed();
  await rest.api.forum.appeal({ id: removal, text: 'No lo es' });
  await app.sql("delete from notifications where detail = 'text_removed'");
  return { ...rest, action: () => other.forum.decideAppeal({ id: removal, outcome, answer: 'Mirado' }) };
}
const check = () => checkProofs({ db: app.services.db, jobs: app.services.jobs, checks: world.checks, now: app.now });
/** A token with an ownership proof of its creator. */
async function proof() {
  const { ana, api, ...rest } = await member();
  const host = `own-mail-${++serial}.example.org`;
  const { id } = await app.project({ website_url: `https://${host}/` });
  await app.sql(
    `insert into project_submissions (submitter_name, submitter_email, status, project_id) values ('x', $1, 'approved', $2)`,
    [ana.email, id],
  );
  const record = { kind: 'project', id } as const;
  const started = await api.ownership.start({ ...record, method: 'file' });
  world.files.set(host, `${started.content}`);
  await api.ownership.check({ id: started.id });
  return { ...rest, api, proofId: started.id, record };
}

const DECISIONS: Record<NotificationDetail<'decisions'>, OwnMail> = {
  submission_approved: { template: 'submissionDecided', ready: () => submission('approved') },
  submission_rejected: { template: 'submissionDecided', ready: () => submission('rejected') },
  moderator_approved: { template: 'decision', ready: () => moderatorRequest('approve') },
  moderator_rejected: { template: 'decision', ready: () => moderatorRequest('reject') },
  text_removed: {
    template: 'textRemoved',
    ready: async () => {
      const { ana, ...rest } = await member();
      const { id } = await post(ana);
      return { ...rest, action: () => back.forum.hide({ what: 'post', ids: [id], ...REMOVAL_REASON }) };
    },
  },
  appeal_upheld: { template: 'appealAnswered', ready: () => appealed('upheld') },
  appeal_reversed: { template: 'appealAnswered', ready: () => appealed('reversed') },
  proof_ended: {
    template: 'decision',
    ready: async () => {
      const { record, ...rest } = await proof();
      const action = async () => {
        await app.services.pool.query(`update projects set website_url = 'https://else.example.org/' where id = $1`, [
          record.id,
        ]);
        await Promise.all([check(), check()]);
        await check();
      };
      return { ...rest, action };
    },
  },
  proof_ends: {
    template: 'decision',
    ready: async () => {
      const { proofId, ...rest } = await proof();
      const action = async () => {
        const soon = new Date(app.now.getTime() + (PROOF_REMINDER_DAYS - 1) * DAY);
        await app.sql('update ownership_proofs set expires_at = $2 where id = $1', [proofId, soon]);
        await check();
        await check();
      };
      return { ...rest, action };
    },
  },
  text_released: {
    template: 'decision',
    ready: async () => {
      const { id, ...rest } = await held();
      return { ...rest, action: () => app.as(admin).forum.release({ id }) };
    },
  },
  text_declined: {
    template: 'textDeclined',
    ready: async () => {
      const { id, ...rest } = await held();
      return { ...rest, action: () => app.as(admin).forum.decline({ id, ...REMOVAL_REASON }) };
    },
  },
};

/** Those of Telegram are in telegram/telegram-chats.test.ts. */
const SECURITY: Record<Exclude<NotificationDetail<'security'>, `telegram_${string}`>, OwnMail> = {
  password: {
    template: 'passwordChanged',
    ready: async () => {
      const ana = await newcomer();
      return { ...ana, action: () => ana.api.account.changePassword({ current: PASSWORD, next: NEXT, locale: 'es' }) };
    },
  },
  // By a code from a mailbox that was not confirmed before.
  password_gone: {
    template: 'passwordChanged',
    ready: async () => {
      const ana = await people.newcomer();
      const { api } = secure.browser({ address: people.address() });
      await api.account.requestSignInCode({ email: ana.email, locale: 'es' });
      const code = await people.newestCode(ana.email);
      return {
        api,
        site: secure,
        mailbox: ana.email,
        action: () => api.account.signInWithCode({ email: ana.email, code }),
      };
    },
  },
  email: {
    template: 'emailChanged',
    ready: async () => {
      const ana = await newcomer();
      const next = people.email();
      await ana.api.account.changeEmail({ email: next, password: PASSWORD, locale: 'es' });
      const token = await people.newestToken(next);
      return { ...ana, action: () => ana.api.account.verifyEmail({ token }) };
    },
  },
  second_factor_on: {
    template: 'secondFactorChanged',
    ready: async () => {
      const ana = await newcomer();
      return { ...ana, action: () => people.withSecondFactor(ana.browser) };
    },
  },
  second_factor_off: {
    template: 'secondFactorChanged',
    ready: async () => {
      const ana = await newcomer();
      const { code } = await people.withSecondFactor(ana.browser);
      return {
        ...ana,
        action: () => ana.api.account.removeSecondFactor({ password: PASSWORD, code: code(), locale: 'es' }),
      };
    },
  },
  passkey_on: {
    template: 'passkeyChanged',
    ready: async () => {
      const { api, ...rest } = await proved();
      const { passkeys } = api.account;
      const action = async () => {
        const response = authenticator().create(await passkeys.startAdding());
        return passkeys.add({ response, name: 'Laptop' });
      };
      return { ...rest, api, action };
    },
  },
  passkey_off: {
    template: 'passkeyChanged',
    ready: async () => {
      const { api, ...rest } = await proved();
      const { passkeys } = api.account;
      const response = authenticator().create(await passkeys.startAdding());
      const { passkey } = await passkeys.add({ response, name: 'Laptop' });
      return { ...rest, api, action: () => passkeys.remove({ id: passkey.id, locale: 'es' }) };
    },
  },
  wallet_on: { template: 'walletChanged', ready: async () => wallet('link') },
  wallet_off: { template: 'walletChanged', ready: async () => wallet('unlink') },
  signed_in: {
    template: 'newSignIn',
    ready: async () => {
      const ana = await newcomer();
      return { ...ana, action: () => people.signIn(ana.email) };
    },
  },
  viewed: {
    template: 'accountViewed',
    ready: async () => {
      const { ana, ...rest } = await member();
      return { ...rest, action: () => back.people.look({ id: ana.id, reason: 'Ha preguntado' }) };
    },
  },
};
async function wallet(what: 'link' | 'unlink') {
  const { api, ...rest } = await proved();
  const { wallets } = api.account;
  const link = async () => {
    const own = evmWallet();
    const { nonce, message } = await wallets.startLinking({ network: 'ethereum', address: own.address });
    return wallets.link({ nonce, signature: await own.sign(message) });
  };
  if (what === 'link') return { ...rest, api, action: link };
  const { id } = await link();
  return { ...rest, api, action: () => wallets.unlink({ id, locale: 'es' }) };
}
/** Further actions with the same notification. */
const RECOVERY: Record<string, OwnMail> = {
  'a password that was reset': {
    template: 'passwordChanged',
    ready: async () => {
      const ana = await newcomer();
      const { account } = secure.browser({ address: people.address() }).api;
      await account.requestPasswordReset({ email: ana.email, locale: 'es' });
      const token = await people.newestToken(ana.email);
      const action = () => account.resetPassword({ token, password: NEXT, locale: 'es' });
      // The reset ended the session.
      const api = {
        notifications: { list: async () => (await people.signIn(ana.email, NEXT)).api.notifications.list({}) },
      };
      return { api, site: secure, mailbox: ana.mailbox, action };
    },
  },
};

const table = (kind: string, causes: Record<string, OwnMail>, detail?: string) =>
  Object.entries(causes).map(([name, own]) => [kind, name, { ...own, detail: detail ?? name }] as const);

it.each([...table('decisions', DECISIONS), ...table('security', SECURITY), ...table('security', RECOVERY, 'password')])(
  '%s: %s causes one notification and one mail',
  async (kind, _name, { template, detail, ready }) => {
    await prove();
    const { api, site = app, mailbox, action } = await ready();
    const mails = () =>
      site.sql<{ id: string }>('select id from mails where to_address = $1 and template = $2 order by id', [
        mailbox,
        template,
      ]);
    const before = await mails();
    await action();
    const { items } = await api.notifications.list({});
    expect(items.filter((one) => one.kind === kind && one.detail === detail)).toHaveLength(1);
    expect((await mails()).length - before.length).toBe(1);
  },
);

it('the mail of a decision is sent once, in the language of the member, also when all channels are off', async () => {
  const { api, mailbox, proofId } = await proof();
  await api.notifications.setKind({ kind: 'decisions', inApp: false, mail: 'off', push: false, telegram: false });
  await api.notifications.setReader({ locale: 'en', zone: 'UTC', quiet: null });
  const soon = new Date(app.now.getTime() + DAY);
  await app.sql('update ownership_proofs set expires_at = $2 where id = $1', [proofId, soon]);
  for (let n = 0; n < 3; n++) await check();
  expect((await api.notifications.list({})).items).toEqual([]);
  expect((await api.notifications.unread()).unread).toBe(0);
  const mails = (await app.deliverMails()).filter(({ to, subject }) => to === mailbox && subject.endsWith('ends soon'));
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain('http://florka.test/en/creator/project/');
});

it('the mail of a decision is not sent to an unconfirmed mailbox', async () => {
  const ana = await app.member();
  await app.sql(`update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`, [
    ana.id,
  ]);
  await prove();
  await back.moderatorRequests.decide({ ids: [ana.id], decision: 'reject' });
  expect(await app.sql('select 1 from mails where to_address = $1', [ana.email])).toEqual([]);
});
