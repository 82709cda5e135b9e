import { describe, expect, it } from 'vitest';
import { STAFF_ROLES } from '#contract/staff.ts';
import { address, app, type Duty, PEOPLE, UNKNOWN_ID } from '#tests/fixtures/access/back-office.ts';
import { PEOPLE_AND_MONEY } from '#tests/fixtures/access/back-office-people.ts';
import { RECORDS } from '#tests/fixtures/access/back-office-records.ts';
import { ADMIN_GUARANTEES } from '#tests/fixtures/guarantees/admin.ts';
import { answerTo, NAMES } from '#tests/support/app/access.ts';
import type { Api } from '#tests/support/app/test-app.ts';

const ADMIN = NAMES.filter((name) => name.startsWith('admin.'));

/** Kinds of admins with access to one part only have tests of their own below. */
const NARROWED = ['moderating', 'narrowed'];
const OUTSIDE = PEOPLE.filter(([, column]) => column !== 'admin' && !NARROWED.includes(column));

type Call = (input: unknown) => Promise<unknown>;
const callOf = (api: Api, name: string) =>
  name.split('.').reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], api) as Call;

describe('the back office', () => {
  it.each(OUTSIDE)(
    'is for admins: %s is refused by each of its procedures, before the input is read [SEC-09] [SEC-16] [SEC-17] [SEC-28] [SEC-29]',
    async (_who, column, make) => {
      const api = app.as(await make(), { address: address() });
      const wrong: string[] = [];
      for (const name of ADMIN) {
        const call = callOf(api, name);
        for (const input of [undefined, { id: UNKNOWN_ID }, { adminEmail: 'admin@florka.test' }]) {
          const answer = await answerTo(call(input));
          if (answer !== (column === 'visitor' ? 'UNAUTHORIZED' : 'FORBIDDEN')) wrong.push(`${name}: ${answer}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it.each(STAFF_ROLES)('permits %s the listed procedures and no others, before the input is read', async (role) => {
    app.pass(60_000);
    const me = await app.member({ role: 'admin', staffRoles: [role] });
    await app.sql('update sessions set proved_at = now() where user_id = $1', [me.id]);
    const api = app.as(me, { address: address() });
    const wrong: string[] = [];
    for (const name of ADMIN) {
      const words = ADMIN_GUARANTEES[name]?.find((word) => word.startsWith('staff role '));
      // Open to any caller with access to the back office: their session.
      const opened = words === undefined || words.slice('staff role '.length).split(', ').includes(role);
      // An input that no schema accepts, so that a permitted call has no effect.
      const answer = await answerTo(callOf(api, name)({ unknown: [UNKNOWN_ID] }));
      if (opened ? ['UNAUTHORIZED', 'FORBIDDEN', 'STAFF_ROLE_NEEDED'].includes(answer) : answer !== 'STAFF_ROLE_NEEDED')
        wrong.push(`${name}: ${answer}`);
    }
    expect(wrong).toEqual([]);
    // Two roles together grant the rights of both.
    const both = await app.member({ role: 'admin', staffRoles: ['editor', 'finance'] });
    expect(await answerTo(app.as(both).admin.news.list({}))).toBe('ok');
    expect(await answerTo(app.as(both).admin.money.list({}))).toBe('ok');
    expect(await answerTo(app.as(both).admin.forum.stats())).toBe('STAFF_ROLE_NEEDED');
  });

  it('refuses other staff roles and returns those that have access', async () => {
    const api = app.as(await app.member({ role: 'admin', staffRoles: ['editor'] }));
    await expect(api.admin.tokenRequests.list({})).rejects.toMatchObject({
      status: 403,
      code: 'STAFF_ROLE_NEEDED',
      data: { roles: ['owner', 'support', 'finance'] },
    });
  });
});

const ADMIN_CALLS: [row: string, what: string, call: (api: Api) => Promise<unknown>, duty?: Duty][] = [
  ...RECORDS,
  ...PEOPLE_AND_MONEY,
];

describe.each(ADMIN_CALLS)('%s) the back office: %s', (_row, _what, call, duty: Duty = {}) => {
  it.each(PEOPLE.filter(([, column]) => !NARROWED.includes(column)))('%s', async (_who, column, make) => {
    app.pass(60_000);
    const me = await make();
    if (me) await app.sql('update sessions set proved_at = now() where user_id = $1', [me.id]);
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

  it('an admin with an expired step-up: refused where one is required', async () => {
    const me = await app.member({ role: 'admin' });
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [me.id]);
    const answer = await answerTo(call(app.as(me, { address: address() })));
    expect(answer).toBe(duty.proven ? 'STEP_UP_NEEDED' : (duty.admin ?? 'ok'));
  });
});
