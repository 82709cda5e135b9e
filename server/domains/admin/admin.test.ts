import { describe, expect, it } from 'vitest';
import { admin, api, app } from '#tests/fixtures/admin.ts';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';

/** Every read and write of the back office, as called over HTTP. */
const CALLS: [method: string, path: string, body?: unknown][] = [
  ['GET', '/session'],
  ['GET', '/networks'],
  ['GET', '/networks.csv'],
  ['GET', '/audit'],
  ['GET', '/audit.csv'],
  ['GET', '/audit/names'],
  ['GET', '/dashboard'],
  ['GET', '/dashboard/days'],
  ['GET', '/inbox'],
  ['GET', '/inbox/counts'],
  ['POST', '/networks', { name: 'X', symbol: 'X' }],
  ['PUT', '/networks/5b6c5a3e-0d0b-4b6e-9a55-000000000000', { version: 1, name: 'X', symbol: 'X', isActive: true }],
  ['DELETE', '/networks/5b6c5a3e-0d0b-4b6e-9a55-000000000000', { version: 1 }],
  ['POST', '/networks/5b6c5a3e-0d0b-4b6e-9a55-000000000000/restore', {}],
  [
    'POST',
    '/networks/switch',
    { records: [{ id: '5b6c5a3e-0d0b-4b6e-9a55-000000000000', version: 1 }], isActive: false },
  ],
  ['POST', '/networks/remove', { records: [{ id: '5b6c5a3e-0d0b-4b6e-9a55-000000000000', version: 1 }] }],
  ['POST', '/networks/restore', { ids: ['5b6c5a3e-0d0b-4b6e-9a55-000000000000'] }],
  ['POST', '/inbox/report/5b6c5a3e-0d0b-4b6e-9a55-000000000000/take', {}],
  ['POST', '/inbox/report/5b6c5a3e-0d0b-4b6e-9a55-000000000000/release', {}],
  ['POST', '/inbox/report/5b6c5a3e-0d0b-4b6e-9a55-000000000000/resolve', { decision: 'kept' }],
  ['POST', '/inbox/job/5b6c5a3e-0d0b-4b6e-9a55-000000000000/settle', { decision: 'retry' }],
  [
    'POST',
    '/inbox/many',
    { action: 'take', items: [{ source: 'report', id: '5b6c5a3e-0d0b-4b6e-9a55-000000000000' }] },
  ],
];

const call = (method: string, path: string, cookie: string, body?: unknown) =>
  app.http(`/api/admin${path}`, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('the guard [AMB-22] [SEC-09] [SEC-13] [SEC-17..19] [SEC-28] [SEC-32]', () => {
  it('is tested below for every procedure of session, audit, dashboard, inbox and networks', async () => {
    const { paths } = (await (await app.http('/api/openapi.json')).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const documented = Object.entries(paths)
      .filter(([path]) => path.startsWith('/admin/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    const pattern = (path: string) => new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
    const missing = documented.filter((one) => {
      const [method = '', path = ''] = one.split(' ');
      return !CALLS.some(([m, p]) => m === method && pattern(path).test(`/admin${p}`));
    });
    // Other parts of the back office have their own guard tests; the ones named here are covered below.
    expect(missing.filter((one) => /\/(session|audit|dashboard|inbox|networks)/.test(one))).toEqual([]);
  });

  it.each(CALLS)(
    '%s %s: 401 for visitors, 403 for members and moderators, open for admins',
    async (method, path, body) => {
      expect((await call(method, path, '', body)).status).toBe(401);
      for (const role of ['user', 'moderator'] as const) {
        const person = await app.member({ role });
        // An admin's e-mail in the body grants no access.
        const tried = body ? { ...(body as object), adminEmail: admin.email } : undefined;
        expect((await call(method, path, person.cookie, tried)).status, role).toBe(403);
      }
      expect([200, 404, 409]).toContain((await call(method, path, admin.cookie, body)).status);
    },
  );

  it('accepts the caller’s own e-mail with any call, refuses another one, and grants no access for either [A-PROJ-72..75] [A-PROJ-78] [A-NEXT-51] [A-NEXT-56] [A-NEXT-58] [A-VOTE-14..17] [A-MOD-13] [A-ROLE-26] [A-ROLE-27] [A-USERS-22..24] [A-TOKEN-30] [A-TOKEN-31] [A-NET-11..14] [AMB-01]', async () => {
    const [other, member] = [await app.member({ role: 'admin' }), await app.member({ role: 'moderator' })];
    const id = '5b6c5a3e-0d0b-4b6e-9a55-000000000000';
    const seen = { version: 1 };
    const token = { tokenName: 'Yes', tokenSymbol: 'Y', tokenAddress: 'address-of-yes' };
    const ids = { ids: [id] };
    const creation = { tokenName: 'A', tokenSymbol: 'A', network: 'solana', totalSupply: '1', ownerWallet: '' };
    // The result with the admin's own e-mail equals the one without.
    for (const [method, path, body, status] of [
      ['GET', '/projects', null, 200],
      ['POST', '/projects', token, 200],
      ['PUT', `/projects/${id}`, { ...seen, tokenName: 'Mine' }, 404],
      ['DELETE', `/projects/${id}`, seen, 404],
      ['GET', '/next-projects', null, 200],
      ['POST', '/next-projects', { ...token, resemblanceAccepted: true }, 200],
      ['PUT', `/next-projects/${id}`, { ...seen, tokenName: 'Mine' }, 404],
      ['DELETE', `/next-projects/${id}`, seen, 404],
      ['POST', '/candidates', { tokenName: 'Vote', tokenSymbol: 'V' }, 200],
      ['PUT', `/candidates/${id}/active`, { isActive: true }, 404],
      ['DELETE', `/candidates/${id}`, seen, 404],
      ['POST', `/candidates/${id}/reset`, { reason: 'Bots' }, 404],
      ['POST', '/moderator-requests/decide', { ...ids, decision: 'approve' }, 200],
      ['PUT', `/roles/${id}`, { role: 'moderator' }, 404],
      ['DELETE', `/roles/${id}`, {}, 404],
      ['GET', '/users', null, 200],
      ['POST', '/users/confirm', ids, 200],
      ['GET', '/token-requests', null, 200],
      ['POST', `/token-requests/${id}/token`, creation, 400],
      ['GET', '/networks', null, 200],
      ['GET', '/networks.csv', null, 200],
      ['POST', '/networks', { name: 'Yes', symbol: 'Y' }, 200],
      ['PUT', `/networks/${id}`, { ...seen, name: 'X', symbol: 'X', isActive: true }, 404],
      ['DELETE', `/networks/${id}`, seen, 404],
    ] as const) {
      for (const name of ['adminEmail', 'p_admin_email']) {
        const send = (email: string, as = admin) =>
          body
            ? call(method, path, as.cookie, { ...body, [name]: email })
            : call(method, `${path}?${name}=${encodeURIComponent(email)}`, as.cookie);
        const refused = await send(other.email);
        expect([path, refused.status]).toEqual([path, 401]);
        expect(await refused.json()).toMatchObject({
          code: 'UNAUTHORIZED',
          message: 'Usuario administrador no autenticado',
        });
        if (name === 'adminEmail')
          expect([path, (await send(` ${admin.email.toUpperCase()} `)).status]).toEqual([path, status]);
        // It grants no access to anyone.
        expect([path, (await send(admin.email, member)).status]).toEqual([path, 403]);
      }
    }
    // It is not stored, and no other unknown field is accepted.
    const [row] = await app.sql(`select after from audit_events where action = 'list.exported' order by id desc`);
    expect(row).toEqual({ after: {} });
    const rpc = async (json: object) => {
      const headers = { cookie: admin.cookie, 'content-type': 'application/json' };
      const body = JSON.stringify({ json });
      return (await app.http('/rpc/admin/projects/list', { method: 'POST', headers, body })).status;
    };
    expect([await rpc({ adminEmail: admin.email }), await rpc({ adminEmail: other.email })]).toEqual([200, 401]);
    expect(await rpc({ adminEmail: admin.email, email: admin.email })).toBe(400);
  });

  it('reads the profile with each request: the next one of a demoted admin is refused [A-LOGIN-12] [A-LOGIN-13] [A-LOGIN-15]', async () => {
    const other = await app.member({ role: 'admin' });
    await app.as(other).admin.session();
    await app.sql('delete from admin_profiles where id = $1', [other.id]);
    await expect(app.as(other).admin.session()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(app.as(other).admin.networks.create({ name: 'Z', symbol: 'Z' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('offers no way to change the audit log', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await call(method, '/audit', admin.cookie, {})).status).toBe(405);
    for (const statement of [
      'update audit_events set reason = null',
      'delete from audit_events',
      'truncate audit_events',
    ])
      await expect(app.sql(statement)).rejects.toThrow('append-only');
  });
});

describe('step-up', () => {
  const stale = () =>
    app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [admin.id]);
  const made = () =>
    api.admin.networks.create({ name: `Net ${Math.random()}`, symbol: `N${Math.random()}`.slice(0, 10) });

  it('is required 10 minutes after the last one, and is completed with the password', async () => {
    const { newcomer } = peopleOf(app);
    const person = await newcomer({ verified: true });
    await app.sql('insert into admin_profiles (id) values ($1)', [person.id]);
    const network = await made();
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [person.id]);
    const remove = () => person.api.admin.networks.remove({ id: network.id, version: network.version });
    await expect(remove()).rejects.toMatchObject({ code: 'STEP_UP_NEEDED', status: 403 });
    await expect(person.api.account.prove({ password: 'wrong-one' })).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    await expect(remove()).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
    await person.api.account.prove({ password: PASSWORD });
    expect(await remove()).toMatchObject({ id: network.id, deletedAt: app.now.toISOString() });
  });

  it('is not required by other actions', async () => {
    const network = await made();
    await stale();
    await api.admin.networks.update({
      id: network.id,
      version: 1,
      name: network.name,
      symbol: network.symbol,
      isActive: false,
    });
    await expect(api.admin.networks.remove({ id: network.id, version: 2 })).rejects.toMatchObject({
      code: 'STEP_UP_NEEDED',
    });
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
  });
});

describe('the audit log', () => {
  it('is filtered by person, action, record and day, and paginated without gaps', async () => {
    const other = await app.member({ role: 'admin' });
    const { id } = await app.as(other).admin.networks.create({ name: 'By another', symbol: 'BYA' });
    const mine = await api.admin.audit.list({ who: other.username.toUpperCase(), action: 'network.' });
    expect(mine.rows).toMatchObject([{ action: 'network.created', actorName: other.username }]);
    const ofRecord = async (resourceType: string, resourceId: string) =>
      (await api.admin.audit.list({ resourceType, resourceId, size: 1_000 })).rows;
    expect(await ofRecord('network', id)).toMatchObject([{ action: 'network.created', resourceId: id }]);
    expect(await ofRecord('', id)).toHaveLength(1);
    expect(await ofRecord('member', id)).toEqual([]);
    expect(new Set((await ofRecord('network', '')).map((row) => row.resourceType))).toEqual(new Set(['network']));
    const first = await api.admin.audit.list({ size: 5 });
    const rest = await api.admin.audit.list({ size: 1_000, cursor: first.nextCursor });
    const whole = await api.admin.audit.list({ size: 1_000 });
    expect([...first.rows, ...rest.rows].map(({ id }) => id)).toEqual(whole.rows.map(({ id }) => id));
    expect(whole.nextCursor).toBeNull();
    const today = new Date().toISOString().slice(0, 10);
    expect((await api.admin.audit.list({ from: today, to: today, size: 1_000 })).rows).toHaveLength(whole.rows.length);
    expect((await api.admin.audit.list({ to: '2020-01-01' })).rows).toEqual([]);
  });

  it('finds entries of the system and of visitors by the name of the role in either language', async () => {
    await app.sql(`insert into audit_events (actor_role, action, resource_type)
      values ('system', 'installation.resumed', 'system'), ('visitor', 'member.signed_up', 'member')`);
    const roles = async (who: string) => [
      ...new Set((await api.admin.audit.list({ who, size: 1_000 })).rows.map((entry) => entry.actorRole)),
    ];
    for (const who of ['system', 'Sistema']) expect(await roles(who)).toEqual(['system']);
    for (const who of ['visitor', 'Visitante']) expect(await roles(who)).toEqual(['visitor']);
  });

  it('lists the actions and resource types that have entries', async () => {
    const whole = await api.admin.audit.list({ size: 1_000 });
    const names = await api.admin.audit.names();
    expect(names.resourceTypes).toEqual(expect.arrayContaining(['member', 'network']));
    expect(names.actions).toEqual([...new Set(whole.rows.map(({ action }) => action))].sort());
  });

  it('keeps its hash chain under concurrent writers, and refuses a second successor of an entry', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => api.admin.networks.create({ name: `At once ${i}`, symbol: `AO${i}` })),
    );
    const [broken] = await app.sql(
      `select count(*)::int as n from (select prev_hash = lag(hash, 1, '\\x'::bytea) over (order by id) as linked from audit_events) c where not linked`,
    );
    expect(broken).toEqual({ n: 0 });
    await expect(
      app.sql(`do $$ begin
        alter table audit_events disable trigger audit_chain;
        insert into audit_events (id, action, resource_type, prev_hash, hash)
          select 999999999, 'x', 'x', prev_hash, '\\x01' from audit_events order by id limit 1;
      end $$`),
    ).rejects.toThrow('audit_events_no_forks');
  });
});

describe('CSV export', () => {
  it('contains all pages of the filtered list, escapes formulas for spreadsheets, and is audited', async () => {
    await api.admin.networks.create({ name: '=1+1, "quoted"', symbol: 'CSV' });
    const answer = await app.http('/api/admin/networks.csv?q=quoted&sort=-name', { headers: { cookie: admin.cookie } });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('networks-2026-03-10.csv');
    const [head, line, ...rest] = (await answer.text()).replace('\ufeff', '').trim().split('\r\n');
    expect(head?.split(',').slice(0, 3)).toEqual(['id', 'key', 'name']);
    expect(line).toContain(`,"'=1+1, ""quoted""",CSV,`);
    expect(rest).toEqual([]);
    expect((await api.admin.audit.list({ action: 'list.exported' })).rows[0]).toMatchObject({
      resourceId: 'networks',
      after: { q: 'quoted', sort: '-name' },
    });
    const entries = await app.http('/api/admin/audit.csv', { headers: { cookie: admin.cookie } });
    expect((await entries.text()).trim().split('\r\n').length).toBeGreaterThan(30);
    const cells = [
      ['quoted2 a;=1+1', `"quoted2 a;'=1+1"`],
      ['quoted2 b; "@SUM(1)', `"quoted2 b; ""'@SUM(1)"`],
      ['quoted2 c|-1', `"quoted2 c|'-1"`],
      ['\uff1d1 quoted2', `,'\uff1d1 quoted2,`],
      ['quoted2 d, -1', `,"quoted2 d, -1",`],
      ['+1 quoted2', `,'+1 quoted2,`],
    ];
    for (const [name, cell] of cells) {
      await app.sql(`update blockchain_networks set name = $1 where symbol = 'CSV'`, [name]);
      const csv = await app.http('/api/admin/networks.csv?q=csv', { headers: { cookie: admin.cookie } });
      expect(await csv.text()).toContain(cell);
    }
    // An e-mail address in any field requires the step-up, also in a field for a name.
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [admin.id]);
    const withoutProof = async (name: string) => {
      await app.sql(`update blockchain_networks set name = $1 where symbol = 'CSV'`, [name]);
      return (await app.http('/api/admin/networks.csv?q=csv', { headers: { cookie: admin.cookie } })).status;
    };
    expect([await withoutProof('ana@correo.test'), await withoutProof('ana en correo')]).toEqual([403, 200]);
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    for (const path of ['nothing.csv', 'session.csv', 'constructor.csv', 'dashboard.csv'])
      expect((await app.http(`/api/admin/${path}`, { headers: { cookie: admin.cookie } })).status).toBe(404);
    const wrong = await app.http('/api/admin/networks.csv?sort=key', { headers: { cookie: admin.cookie } });
    expect(wrong.status).toBe(400);
  });

  it('contains no e-mail address of a later page without a step-up', async () => {
    await app.sql(
      `insert into blockchain_networks (key, name, symbol) select 'many' || n, 'Aa ' || lpad(n::text, 4, '0'), 'M' || n
       from generate_series(1, 1000) n`,
    );
    await app.sql(`insert into blockchain_networks (key, name, symbol) values ('last', 'zz@correo.test', 'LAST')`);
    const fileOf = async () => {
      const answer = await app.http('/api/admin/networks.csv?sort=name', { headers: { cookie: admin.cookie } });
      // The response may fail after its headers were sent.
      return [answer.status, await answer.text().catch(() => '')] as const;
    };
    expect(await fileOf()).toEqual([200, expect.stringContaining('zz@correo.test')]);
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [admin.id]);
    expect(await fileOf()).toEqual([200, expect.not.stringContaining('zz@correo.test')]);
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    await app.sql(`delete from blockchain_networks where key like 'many%' or key = 'last'`);
  });
});
