import { ORPCError, traverseContractProcedures } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AUDIT_FIELDS } from '#contract/admin/shared/audit-fields.ts';
import { contract } from '#contract/index.ts';
import { errorText } from '#server/lib/errors/describe-error.ts';
import { ACCOUNT_WRITES } from '#tests/fixtures/audit/account.ts';
import { MEMBER_WRITES_OF_ADMINS } from '#tests/fixtures/audit/admin-members.ts';
import { REQUEST_WRITES_OF_ADMINS } from '#tests/fixtures/audit/admin-requests.ts';
import { COMMUNITY_WRITES } from '#tests/fixtures/audit/community.ts';
import { RECORD_WRITES } from '#tests/fixtures/audit/records.ts';
import { REQUEST_WRITES } from '#tests/fixtures/audit/requests.ts';
import { type Action, app, freshProof, type Scenario } from '#tests/fixtures/audit/setup.ts';
import { joinParts } from '#tests/support/runner/join-parts.ts';

/** Procedures without an audit entry, with the reason. Any other write without one fails below. */
const WITHOUT_ENTRY: Record<string, string> = {
  'voting.cast': 'the table of votes is the record (ADR 0010); only a withdrawal has an entry',
  'forum.react': 'the table of reactions is the record; the member can remove a reaction at any time',
  'notifications.markRead': 'the row itself stores the time; reading a list changes nothing else',
  'admin.editorial.editing': 'temporary state of an open form, like presence',
  'admin.lists.save': 'display settings of one admin: nobody else sees them, and nothing else depends on them',
  'presence.connect': 'temporary state of an open tab',
  'presence.heartbeat': 'as above',
  'presence.disconnect': 'as above',
  'ownership.startWallet': 'creates a text to sign, valid for 5 minutes; the proof that is made with it has an entry',
  'account.passkeys.startAdding': 'creates a challenge, valid for 5 minutes; the action that uses it has an entry',
  'account.passkeys.startProof': 'as above',
  'account.passkeys.startSignIn': 'as above',
  'account.passkeys.startSecondStep': 'as above',
  'account.wallets.startLinking': 'creates a text to sign, valid for 5 minutes; the action that uses it has an entry',
  'account.wallets.startSignIn': 'as above',
  'previews.read': 'only reads; POST so that the key is not part of the address',
  'saved.resolve': 'only reads; POST because the list can be too long for an address',
  'submissions.read': 'only reads; POST so that the key is not part of the address',
  'tokenRequests.save': 'saves a draft every two seconds during typing; the paid data is recorded with the payment',
  'tokenRequests.read': 'only reads; POST so that the secret is not part of the address',
  'tokenRequests.order': 'as above; a change of the payment that it finds has its own entry',
  'tokenRequests.check': 'as above',
};

const SCENARIOS = joinParts<Scenario>(
  ACCOUNT_WRITES,
  COMMUNITY_WRITES,
  REQUEST_WRITES,
  RECORD_WRITES,
  REQUEST_WRITES_OF_ADMINS,
  MEMBER_WRITES_OF_ADMINS,
);

/** Every procedure that is no GET. */
const WRITES: string[] = [];
traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
  if (procedure['~orpc'].route.method !== 'GET') WRITES.push(path.join('.'));
});

const newest = async () =>
  Number((await app.sql<{ id: string }>('select coalesce(max(id), 0) as id from audit_events'))[0]?.id);

describe('every write of the API', () => {
  it('has either a scenario here or a listed reason to have no audit entry [SEC-27] [SEC-29]', () => {
    expect([...Object.keys(SCENARIOS), ...Object.keys(WITHOUT_ENTRY)].sort()).toEqual(WRITES.sort());
  });

  it.each(Object.entries(SCENARIOS))('%s adds entries with an action and a resource type', async (_name, prepare) => {
    const action = await prepare();
    const before = await newest();
    await action();
    const entries = await app.sql('select * from audit_events where id > $1 order by id', [before]);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      expect(entry['action']).toMatch(/^[a-z0-9_]+\.[a-z0-9_]+$/);
      expect(entry['resource_type']).toBeTruthy();
      // Each of these has a text in both languages: guaranteed by the type AuditField.
      for (const fields of [entry['before'], entry['after']])
        if (fields !== null) expect(AUDIT_FIELDS).toEqual(expect.arrayContaining(Object.keys(fields as object)));
    }
  });

  it('does not fail when eight calls run concurrently, mixed with data exports of members', {
    timeout: 400_000,
  }, async () => {
    const members = await app.members(40);
    const actions: [string, Action][] = [];
    for (const [name, prepare] of Object.entries(SCENARIOS)) {
      await freshProof();
      actions.push([name, await prepare()]);
      const member = members.pop();
      if (member) actions.push(['account.export', () => app.as(member).account.export()]);
    }
    await freshProof();
    let next = 0;
    let done = 0;
    const failed: unknown[] = [];
    const writer = async () => {
      for (let action = actions[next++]; action; action = actions[next++]) {
        const [name, run] = action;
        try {
          await run();
          done++;
        } catch (error) {
          // A refusal is acceptable: one action may prevent another.
          if (!(error instanceof ORPCError) || error.status >= 500) failed.push([name, errorText(error)]);
          if (name === 'account.export') failed.push([name, errorText(error)]);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    expect(failed).toEqual([]);
    expect(done).toBeGreaterThan(actions.length / 2);
  });

  it('has a name in AUDIT_FIELDS for every filter of a list, for the entry of its export', () => {
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
