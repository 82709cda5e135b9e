import { describe, expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { type Answer, accessScenes, answerTo, NAMES } from '#tests/support/access.ts';
import { BECAUSE } from '#tests/support/removal.ts';
import { type Api, startTestApp } from '#tests/support/test-app.ts';

/** Who may call what of the back office; the other half of access.test.ts. */
const app = await startTestApp({ proofs: { look: async () => 'missing' } });
const { address, words, postBy, commentBy, candidate, votedBy, draftBy, submissionBy, PEOPLE } = accessScenes(app);

const NOBODYS = '11111111-1111-4111-8111-111111111111';
let serial = 0;
const ADMIN = NAMES.filter((name) => name.startsWith('admin.'));

describe('the back office', () => {
  it('is for admins: everybody else is refused at each of its procedures, before the input is looked at [SEC-09] [SEC-16] [SEC-17] [SEC-28] [SEC-29]', async () => {
    const people = await Promise.all(
      PEOPLE.filter(([, column]) => column !== 'admin').map(
        async ([who, column, make]) => [who, column, app.as(await make(), { address: address() })] as const,
      ),
    );
    const wrong: string[] = [];
    for (const name of ADMIN)
      for (const [who, column, api] of people) {
        const call = name.split('.').reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], api) as (
          input: unknown,
        ) => Promise<unknown>;
        for (const input of [undefined, { id: NOBODYS }, { adminEmail: 'admin@florka.test' }]) {
          const answer = await answerTo(call(input));
          if (answer !== (column === 'visitor' ? 'UNAUTHORIZED' : 'FORBIDDEN'))
            wrong.push(`${name}: ${who}: ${answer}`);
        }
      }
    expect(wrong).toEqual([]);
  });
});

interface Duty {
  /** What an admin gets; 'ok' where nothing is said. */
  admin?: Answer;
  /** Asks for a proof of the last ten minutes. */
  proven?: boolean;
}
const rowSeen = (seen: { id: string; version: number }) => ({ id: seen.id, version: seen.version });

/** What of a record its update takes. */
const asInput = <Input>(procedure: { '~orpc': { inputSchema?: unknown } }, record: object) =>
  Object.fromEntries(
    Object.keys((procedure['~orpc'].inputSchema as { shape: object }).shape).map((name) => [
      name,
      (record as Record<string, unknown>)[name],
    ]),
  ) as Input;

/** The votes of a candidate in a cluster, as a signal leaves them. */
async function clusterOf(candidateId: string): Promise<string> {
  const [cluster] = await app.sql<{ id: string }>(
    `insert into vote_review_clusters (round_id, signal, key, found_at, grown_at)
     select id, 'lockstep', $1::text, now(), now() from voting_rounds where status = 'open' returning id`,
    [candidateId],
  );
  return cluster?.id ?? '';
}

/** Calls of the back office, each on somebody or something made for it. */
const OFFICE: [row: string, what: string, call: (api: Api) => Promise<unknown>, duty?: Duty][] = [
  [
    '28',
    'hide and restore a post',
    async (api) => {
      const ids = [await postBy(await app.member())];
      await api.admin.forum.hide({ what: 'post', ids, ...BECAUSE });
      return api.admin.forum.restore({ what: 'post', ids });
    },
  ],
  [
    '29',
    'hide a comment',
    async (api) => api.admin.forum.hide({ what: 'comment', ids: [await commentBy(await app.member())], ...BECAUSE }),
  ],
  ['3', 'read hidden texts', (api) => api.admin.forum.list({ shelf: 'hidden' })],
  ['32', 'read the counts of the forum', (api) => api.admin.forum.stats()],
  ['32', 'read the counts of the dashboard', (api) => api.admin.dashboard.counts()],
  ['32', 'read the days of the dashboard', (api) => api.admin.dashboard.days({})],
  ['32', 'read the inbox', (api) => api.admin.inbox.list({})],
  [
    '33',
    'create, change, delete and restore a project [SEC-27]',
    async ({ admin: { projects } }) => {
      const made = await projects.create({
        tokenName: words(),
        tokenSymbol: 'ACC',
        resemblanceAccepted: true,
        tokenAddress: `address-${words()}`,
      });
      const changed = await projects.update({ ...rowSeen(made), description: 'x' });
      await projects.remove(rowSeen(changed));
      return projects.restore({ id: made.id });
    },
  ],
  [
    '34',
    'add to the Top 3, and take out',
    async ({ admin: { projects } }) => {
      await app.sql(`update projects set order_index = 999 where order_index between 1 and 3`);
      const { id } = await app.project({ status: 'published_home' });
      await projects.setTop3({ id, on: true });
      return projects.setTop3({ id, on: false });
    },
  ],
  [
    '34',
    'add a fourth to the Top 3',
    async ({ admin: { projects } }) => {
      await app.sql(`update projects set order_index = 999 where order_index between 1 and 3`);
      for (const order_index of [1, 2, 3]) await app.project({ status: 'published_home', order_index });
      return projects.setTop3({ id: (await app.project({ status: 'published_home' })).id, on: true });
    },
    { admin: 'PODIUM_REFUSED' },
  ],
  [
    '35',
    'create, change, delete and restore a NEXT project [SEC-27]',
    async ({ admin: { nextProjects } }) => {
      const made = await nextProjects.create({ tokenName: words(), tokenSymbol: 'ACC', resemblanceAccepted: true });
      const changed = await nextProjects.update({ ...rowSeen(made), description: 'x' });
      await nextProjects.remove(rowSeen(changed));
      return nextProjects.restore({ id: made.id });
    },
  ],
  [
    '36',
    'create, change, delete and restore a news item [SEC-27]',
    async ({ admin: { news: items } }) => {
      const made = await items.create({ title: words(), content: 'x' });
      const changed = await items.update({ ...rowSeen(made), title: words(), content: 'y' });
      await items.remove(rowSeen(changed));
      return items.restore({ id: made.id });
    },
  ],
  [
    '36',
    'plan when a news item appears, bring an earlier version back, and make a link to a draft [SEC-27]',
    async ({ admin: { news: items, editorial } }) => {
      const { id } = await items.create({ title: words(), content: 'x' });
      const publishAt = new Date(Date.now() + 86_400_000).toISOString();
      await editorial.setSchedule({ kind: 'news', id, version: 1, publishAt, expireAt: null });
      await editorial.schedules({ kind: 'news' });
      await items.update({ id, version: 2, title: words(), content: 'y' });
      await editorial.restoreVersion({ kind: 'news', id, version: 3, restore: 1 });
      await editorial.makePreview({ kind: 'news', id });
      await editorial.editing({ kind: 'news', id, open: true });
      return editorial.versions({ kind: 'news', id });
    },
  ],
  [
    '36',
    'publish and restore a page about the site [SEC-27]',
    async ({ admin: { sitePages } }) => {
      const texts = { titleEs: words(), bodyEs: 'x', titleEn: words(), bodyEn: 'x' };
      const before = (await sitePages.list()).find(({ page }) => page === 'risk')?.version ?? 0;
      const first = await sitePages.save({ page: 'risk', version: before, ...texts });
      const second = await sitePages.save({ page: 'risk', version: first.version, ...texts, bodyEs: 'y' });
      await sitePages.restore({ page: 'risk', version: second.version, restore: first.version });
      return sitePages.history({ page: 'risk' });
    },
  ],
  [
    '37',
    'create, change, switch, delete and restore a candidate [SEC-27]',
    async ({ admin: { candidates } }) => {
      const made = await candidates.create({ tokenName: words(), tokenSymbol: 'ACC', resemblanceAccepted: true });
      const changed = await candidates.update(asInput(contract.admin.candidates.update, { ...made, description: 'x' }));
      const off = await candidates.setActive({ id: changed.id, isActive: false });
      await candidates.remove(rowSeen(off));
      return candidates.restore({ id: made.id });
    },
  ],
  [
    '38',
    'reset votes, and give them back',
    async ({ admin: { candidates } }) => {
      const id = await votedBy(await app.member());
      await candidates.resetVotes({ id });
      const [archived] = await app.sql<{ reset_id: string; n: number }>(
        `select r.id as reset_id, count(*)::int as n from vote_resets r
         join votes v on v.candidate_id = r.candidate_id and v.generation = any(r.generations)
         where r.candidate_id = $1 group by 1`,
        [id],
      );
      expect(archived?.n).toBe(1);
      return candidates.undoReset({ id, resetId: archived?.reset_id ?? '' });
    },
    { proven: true },
  ],
  [
    'AMB-108',
    'move the end of a round that is not open',
    (api) =>
      api.admin.rounds.setEnd({
        id: NOBODYS,
        seenClosesAt: app.now.toISOString(),
        closesAt: new Date(app.now.getTime() + 86_400_000).toISOString(),
      }),
    { proven: true, admin: 'NOT_FOUND' },
  ],
  [
    'AMB-212',
    'say what follows a round that is not open',
    (api) => api.admin.rounds.setNext({ id: NOBODYS, nextDays: 5 }),
    { admin: 'NOT_FOUND' },
  ],
  [
    'AMB-212',
    'close a round early that is not open',
    (api) => api.admin.rounds.closeEarly({ id: NOBODYS, seenClosesAt: app.now.toISOString(), reason: 'Prueba' }),
    { proven: true, admin: 'NOT_FOUND' },
  ],
  [
    'AMB-212',
    'open a round while one is open',
    (api) => api.admin.rounds.open({ days: 5 }),
    { admin: 'ROUND_CHANGED' },
  ],
  [
    'AMB-108',
    'graduate the winner of a round that is not there',
    (api) => api.admin.rounds.promoteWinner({ id: NOBODYS, candidateId: NOBODYS }),
    { proven: true, admin: 'NOT_FOUND' },
  ],
  [
    'AMB-213',
    'list held votes, release, void and undo',
    async ({ admin: { voteReview } }) => {
      const id = await clusterOf(await votedBy(await app.member()));
      await voteReview.list({});
      await voteReview.votes({ id });
      await voteReview.release({ id });
      await voteReview.undo({ id });
      await voteReview.void({ id, reason: 'x' });
      return voteReview.undo({ id });
    },
  ],
  [
    '39',
    'decide a wish to moderate [A-MOD-12] [A-MOD-13]',
    async (api) => api.admin.moderatorRequests.decide({ ids: [(await app.member()).id], decision: 'approve' }),
    { proven: true },
  ],
  ['40', 'list members with roles [A-ROLE-22]', (api) => api.admin.roles.list({})],
  ['40', 'list unconfirmed members [A-USERS-22] [A-USERS-23]', (api) => api.admin.users.list({ state: 'pending' })],
  [
    '41',
    'assign a role, and take it away [A-ROLE-26..28]',
    async (api) => {
      const { id } = await app.member();
      await api.admin.roles.assign({ id, role: 'admin' });
      return api.admin.roles.remove({ id });
    },
    { proven: true },
  ],
  [
    '41',
    'make oneself an admin, or what else one is not',
    async (api) => {
      const me = await api.auth.me();
      return api.admin.roles.assign({ id: me?.id ?? NOBODYS, role: me?.role === 'admin' ? 'moderator' : 'admin' });
    },
    { admin: 'OWN_ACCOUNT', proven: true },
  ],
  ['42', 'confirm a member [A-USERS-24]', async (api) => api.admin.users.confirm({ ids: [(await app.member()).id] })],
  [
    '41',
    'ban a member, and delete one',
    async (api) => {
      const ids = [(await app.member()).id];
      await api.admin.users.ban({ ids, days: 1, reason: 'x' });
      return api.admin.users.remove({ ids, reason: 'x' });
    },
    { proven: true },
  ],
  [
    '43',
    'list, answer and publish a request for publication [SEC-24]',
    async ({ admin: { submissions } }) => {
      const { id } = await submissionBy(null);
      await submissions.list({});
      await submissions.review({ id, version: 1, status: 'reviewed', adminNotes: '' });
      return submissions.publish({ id, version: 2, as: 'next_project', adminNotes: '', resemblanceAccepted: true });
    },
  ],
  [
    '44',
    'list and read requests for tokens [SEC-25]',
    async ({ admin: { tokenRequests } }) => {
      await tokenRequests.list({});
      return tokenRequests.read({ id: (await draftBy(null)).id });
    },
  ],
  [
    '46',
    'accept a payment that is not there',
    (api) => api.admin.tokenRequests.acceptPayment({ paymentId: NOBODYS, reason: 'x' }),
    { admin: 'NOT_FOUND', proven: true },
  ],
  [
    '46',
    'bring a signature for a payment that is not there',
    (api) => api.admin.tokenRequests.addAcceptance({ paymentId: NOBODYS, signed: 'x' }),
    { admin: 'NOT_FOUND', proven: true },
  ],
  [
    '46',
    'close a request that nobody paid',
    async (api) => api.admin.tokenRequests.close({ id: (await draftBy(null)).id, as: 'cancelled', note: 'x' }),
    { admin: 'NOT_CLOSABLE' },
  ],
  [
    '46',
    'open a request again that is open',
    async (api) => api.admin.tokenRequests.reopen({ id: (await draftBy(null)).id }),
    { admin: 'ALREADY_DONE' },
  ],
  [
    '46',
    'replace the private link of an order',
    async (api) => api.admin.tokenRequests.replaceLink({ id: (await draftBy(null)).id }),
  ],
  ['46', 'see the money by month', (api) => api.admin.money.list({})],
  ['46', 'see how far token requests come', (api) => api.admin.funnel.list({})],
  ['46', 'see which voters come back', (api) => api.admin.retention.list({})],
  ['46', 'see how much there is to moderate', (api) => api.admin.moderationLoad.list({})],
  [
    '32',
    'keep columns and filters of a list',
    async ({ admin: { lists } }) => {
      await lists.save({ list: 'news', hidden: ['author'], views: [] });
      return lists.read({ list: 'news' });
    },
  ],
  ['40', 'search everything of the back office', (api) => api.admin.find({ q: 'nobody at all' })],
  ['32', 'read how much waits', (api) => api.admin.inbox.counts()],
  ['40', 'find a person', (api) => api.admin.people.find({ q: 'nobody at all' })],
  ['40', 'see everything of a person', async (api) => api.admin.people.read({ id: (await app.member()).id })],
  [
    '40',
    'note something about a person',
    async ({ admin: { people } }) => {
      const { id } = await people.addNote({ id: (await app.member()).id, text: words() });
      return people.removeNote({ id });
    },
  ],
  [
    '40',
    'read what a person sees',
    async (api) => api.admin.people.look({ id: (await app.member()).id, reason: words() }),
    { proven: true },
  ],
  ['46', 'see the settings', (api) => api.admin.settings.list()],
  [
    '46',
    'change a setting',
    async ({ admin: { settings } }) => {
      const found = (await settings.list()).find(({ name }) => name === 'votesPerDay');
      return settings.save({ changes: [{ name: 'votesPerDay', version: found?.version ?? 0, value: 60 + ++serial }] });
    },
    { proven: true },
  ],
  ['46', 'send a test mail', (api) => api.admin.settings.testMail(), { proven: true }],
  ['46', 'make a test payment', (api) => api.admin.settings.testPayment(), { proven: true }],
  ['46', 'see the state of the installation', (api) => api.admin.settings.doctor()],
  ['46', 'see comparisons with the provider', (api) => api.admin.settlement.runs()],
  ['46', 'see what differs from the provider', (api) => api.admin.settlement.list({})],
  ['46', 'have everything compared with the provider', (api) => api.admin.settlement.run()],
  [
    '46',
    'explain a difference that is not there',
    (api) => api.admin.settlement.explain({ id: NOBODYS, version: 1, reason: 'x' }),
    { admin: 'NOT_FOUND', proven: true },
  ],
  ['46', 'see money whose order is not here', (api) => api.admin.unplaced.list()],
  [
    '46',
    'place such money where nobody can be asked',
    (api) => api.admin.unplaced.place({ id: '1', version: 1, orderId: 'FL-0000000001', reason: 'x' }),
    { admin: 'PAYMENT_UNAVAILABLE', proven: true },
  ],
  [
    '46',
    'give such money back where nobody can be asked',
    (api) => api.admin.unplaced.refund({ id: '1', version: 1, orderId: 'FL-0000000001', reason: 'x' }),
    { admin: 'PAYMENT_UNAVAILABLE', proven: true },
  ],
  [
    '46',
    'settle money elsewhere that is not there',
    (api) => api.admin.unplaced.settle({ id: '1', version: 1, reason: 'x' }),
    { admin: 'NOT_FOUND', proven: true },
  ],
  [
    '47',
    'create and change a network [SEC-26]',
    async ({ admin: { networks } }) => {
      const made = await networks.create({ name: words(), symbol: `A${++serial}` });
      return networks.update({ ...rowSeen(made), name: made.name, symbol: made.symbol, isActive: false });
    },
  ],
  [
    '47',
    'delete a network',
    async ({ admin: { networks } }) => {
      const [row] = await app.sql<{ id: string }>(
        `insert into blockchain_networks (key, name, symbol) values ($1, $2, $3) returning id`,
        [`access-${++serial}`, words(), `D${serial}`],
      );
      return networks.remove({ id: row?.id ?? '', version: 1 });
    },
    { proven: true },
  ],
  ['45', 'list the proofs of creators', (api) => api.admin.ownership.list({})],
  [
    '45',
    'begin a proof for a creator, and look for it',
    async ({ admin: { ownership } }) => {
      const id = await candidate({ website_url: 'https://creator.invalid' });
      const { id: proof } = await ownership.start({ kind: 'candidate', id, method: 'dns' });
      return ownership.check({ id: proof });
    },
    { admin: 'PROOF_NOT_FOUND' },
  ],
  [
    '45',
    'withdraw a proof',
    async ({ admin: { ownership } }) => {
      const id = await candidate({ website_url: 'https://creator.invalid' });
      const [proof] = await app.sql<{ id: string }>(
        `insert into ownership_proofs (candidate_id, method, subject, token, started_at)
         values ($1, 'dns', 'creator.invalid', 'x', now()) returning id`,
        [id],
      );
      return ownership.withdraw({ id: proof?.id ?? '', reason: 'The site was sold' });
    },
    { proven: true },
  ],
  ['50', 'read the audit log', (api) => api.admin.audit.list({})],
  [
    '45',
    'see what providers say of a candidate',
    async (api) => api.admin.market.read({ kind: 'candidate', id: await candidate() }),
  ],
  ['49', "see the forum's debug panel", (api) => api.admin.forum.debug()],
];

describe.each(OFFICE)('%s) the back office: %s', (_row, _what, call, duty: Duty = {}) => {
  it.each(PEOPLE)('%s', async (_who, column, make) => {
    app.pass(60_000);
    const me = await make();
    if (me) await app.sql('update sessions set proved_at = $2 where user_id = $1', [me.id, app.now]);
    const answer = await answerTo(call(app.as(me, { address: address() })));
    expect(answer).toBe(
      column === 'admin' ? (duty.admin ?? 'ok') : column === 'visitor' ? 'UNAUTHORIZED' : 'FORBIDDEN',
    );
    const written = await app.sql(
      `select action from audit_events where actor_id = $1 and action <> 'member.signed_up'`,
      [me?.id ?? null],
    );
    if (column !== 'admin') expect(written).toEqual([]);
  });

  it('an admin with an old proof may look, and change no rights', async () => {
    const me = await app.member({ role: 'admin' });
    await app.sql('update sessions set proved_at = $2 where user_id = $1', [
      me.id,
      new Date(app.now.getTime() - 601_000),
    ]);
    const answer = await answerTo(call(app.as(me, { address: address() })));
    expect(answer).toBe(duty.proven ? 'STEP_UP_NEEDED' : (duty.admin ?? 'ok'));
  });
});
