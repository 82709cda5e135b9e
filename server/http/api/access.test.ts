import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { ACCOUNT_LINES } from '#tests/fixtures/access/accounts.ts';
import { COMMUNITY_LINES } from '#tests/fixtures/access/community.ts';
import { REQUEST_LINES } from '#tests/fixtures/access/requests.ts';
import { address, app, email, type Line, type Parties, PEOPLE, postBy, tab } from '#tests/fixtures/access/setup.ts';
import { TOKEN_LINES } from '#tests/fixtures/access/tokens.ts';
import { type Answer, answerTo, type Column, NAMES, namesOf } from '#tests/support/app/access.ts';
import { joinParts } from '#tests/support/runner/join-parts.ts';

/**
 * The access matrix as a table, tested for every kind of person. A procedure without a line fails the test, so a new one has to
 * declare its access first.
 */
const TABLE = joinParts<Line[]>(TOKEN_LINES, COMMUNITY_LINES, ACCOUNT_LINES, REQUEST_LINES);

/** All procedures of the back office share one guard: access-admin.test.ts. */
const PUBLIC = NAMES.filter((name) => !name.startsWith('admin.'));

/** The expected response for a kind of person, in words. */
const expected = (line: Line, column: Column): Answer =>
  column === 'visitor'
    ? line.visitor
    : column === 'narrowed'
      ? line.member
      : (line[column === 'moderating' ? 'admin' : column] ?? line.member);

/** A post needs a profile: a member without one has no post to edit or delete. */
const needsProfile = ({ what }: Line) => /^(edit|delete|file) my post/.test(what);

describe('the access table', () => {
  it('has a line for every procedure, and for nothing else', () => {
    expect(PUBLIC.filter((name) => !(name in TABLE))).toEqual([]);
    expect(Object.keys(TABLE).filter((name) => !NAMES.includes(name))).toEqual([]);
  });

  it('detects a procedure without a line', () => {
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
          const parties: Parties = { me, other, mine: column === 'visitor' || !me ? other : me };
          const api = app.as(me, { address: address() });
          expect(await answerTo(line.call(api, parties))).toBe(expected(line, column));
        },
      );
    });
}

describe('in addition to the table', () => {
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

  it('13) a request to moderate at sign-up is pending and grants no right [AUTH-08] [AUTH-36] [SEC-06]', async () => {
    const browser = app.browser({ address: address() });
    const me = await browser.api.auth.signUp({ email: email(), password: 'six-or-more', requestModerator: true });
    expect(me).toMatchObject({ role: 'user', moderatorRequestStatus: 'pending', isAdmin: false });
    const id = await postBy(await app.member());
    expect(await answerTo(browser.api.forum.deletePost({ id }))).toBe('FORBIDDEN');
  });

  it('48) only owners and editors upload images for the back office [MEDIA-01]', async () => {
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
        const may = column === 'admin' || who === 'an editor';
        expect({ who, status }).toEqual({ who, status: may ? 201 : column === 'visitor' ? 401 : 403 });
      }
  });

  it('50) the audit log cannot be changed: there is no procedure for it, and the database refuses', async () => {
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

  it('51) the health checks are public, and return only their state', async () => {
    for (const [who, , make] of PEOPLE) {
      const person = await make();
      const headers = new Headers(person ? { cookie: person.cookie } : []);
      for (const [path, state] of [
        ['/healthz', 'ok'],
        ['/readyz', 'ready'],
      ] as const) {
        const response = await app.http(path, { headers });
        expect([who, response.status, await response.text()]).toEqual([who, 200, state]);
      }
    }
  });

  it('31) the public list of who is online contains names and truncated ids, no id, wallet or e-mail', async () => {
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
