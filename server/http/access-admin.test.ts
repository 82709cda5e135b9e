import { describe, expect, it } from 'vitest';
import { address, app, type Duty, NOBODYS, PEOPLE } from '#tests/fixtures/access/back-office.ts';
import { PEOPLE_AND_MONEY } from '#tests/fixtures/access/back-office-people.ts';
import { RECORDS } from '#tests/fixtures/access/back-office-records.ts';
import { answerTo, NAMES } from '#tests/support/access.ts';
import type { Api } from '#tests/support/test-app.ts';

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

const OFFICE: [row: string, what: string, call: (api: Api) => Promise<unknown>, duty?: Duty][] = [
  ...RECORDS,
  ...PEOPLE_AND_MONEY,
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
