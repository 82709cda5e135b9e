import { beforeEach, describe, expect, it } from 'vitest';
import { admin, app, back, cluster, guest, ownToken, publication } from '#tests/fixtures/audit/setup.ts';

const UNKNOWN_ID = '11111111-1111-4111-8111-111111111111';
beforeEach(() => app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]));

describe('a bulk decision about clusters', () => {
  const stateOf = async (id: string) =>
    (await app.sql<{ state: string }>('select state from vote_review_clusters where id = $1', [id]))[0]?.state;

  it('voids each cluster for the same reason, with an outcome each, and its undo reopens them', async () => {
    const [one, decided, two] = [await cluster(), await cluster(), await cluster()];
    await back.voteReview.release({ id: decided.id });
    const ids = [one.id, decided.id, UNKNOWN_ID, two.id, one.id];
    expect((await back.voteReview.decideMany({ ids, decision: 'void', reason: 'a farm' })).results).toEqual([
      { id: one.id, outcome: 'done', code: null },
      { id: decided.id, outcome: 'refused', code: 'ALREADY_DONE' },
      { id: UNKNOWN_ID, outcome: 'refused', code: 'NOT_FOUND' },
      { id: two.id, outcome: 'done', code: null },
    ]);
    expect([await stateOf(one.id), await stateOf(decided.id), await stateOf(two.id)]).toEqual([
      'void',
      'released',
      'void',
    ]);
    expect(
      await app.sql(
        `select action, reason from audit_events where action = 'votes.voided' and resource_id = any($1) order by id`,
        [[one.id, two.id]],
      ),
    ).toEqual([
      { action: 'votes.voided', reason: 'a farm' },
      { action: 'votes.voided', reason: 'a farm' },
    ]);
    const undone = await back.voteReview.decideMany({ ids: [one.id, two.id], decision: 'undo' });
    expect(undone.results.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    expect([await stateOf(one.id), await stateOf(two.id)]).toEqual(['open', 'open']);
  });

  it('voids nothing without a reason', async () => {
    const { id } = await cluster();
    await expect(back.voteReview.decideMany({ ids: [id], decision: 'void' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await stateOf(id)).toBe('open');
  });
});

describe('a bulk review of submissions', () => {
  const made = async () => (await guest().submissions.create(publication())).id;
  const rowOf = async (id: string) => {
    const { status, version, adminNotes, answer } = await back.submissions.read({ id });
    return { status, version, adminNotes, answer };
  };
  const mailed = async () =>
    (await app.sql<{ n: number }>(`select count(*)::int as n from mails where template = 'submissionDecided'`))[0]?.n ??
    0;

  it('sets the status and keeps notes and answers; refuses one decided since, and mails nobody twice', async () => {
    const [one, changed, rejected] = [await made(), await made(), await made()];
    await back.submissions.review({ id: one, version: 1, status: 'new', adminNotes: 'Ask Eva', answer: 'Soon' });
    await back.submissions.review({ id: changed, version: 1, status: 'approved', adminNotes: '' });
    await back.submissions.review({ id: rejected, version: 1, status: 'rejected', adminNotes: '' });
    const before = await mailed();
    const { results } = await back.submissions.reviewMany({
      records: [
        { id: one, version: 2, status: 'rejected' },
        { id: changed, version: 1, status: 'rejected' },
        { id: rejected, version: 2, status: 'rejected' },
      ],
    });
    expect(results).toEqual([
      { id: one, outcome: 'done', code: null },
      { id: changed, outcome: 'refused', code: 'VERSION_CONFLICT', by: admin.username },
      { id: rejected, outcome: 'unchanged', code: null },
    ]);
    expect(await rowOf(one)).toEqual({ status: 'rejected', version: 3, adminNotes: 'Ask Eva', answer: 'Soon' });
    expect((await rowOf(changed)).status).toBe('approved');
    expect(await mailed()).toBe(before + 1);
    const undone = await back.submissions.reviewMany({ records: [{ id: one, version: 3, status: 'new' }] });
    expect(undone.results[0]?.outcome).toBe('done');
    expect((await rowOf(one)).status).toBe('new');
    expect(await mailed()).toBe(before + 1);
  });
});

describe('a bulk withdrawal of ownership proofs', () => {
  it('requires a step-up, and withdraws each proof for the same reason, once', async () => {
    const begun = async () => (await back.ownership.start({ ...(await ownToken()).record, method: 'dns' })).id;
    const [one, two] = [await begun(), await begun()];
    const input = { ids: [one, UNKNOWN_ID, two], reason: 'The site was sold' };
    await app.sql(`update sessions set proved_at = 'epoch' where user_id = $1`, [admin.id]);
    await expect(back.ownership.withdrawMany(input)).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    expect((await back.ownership.withdrawMany(input)).results).toEqual([
      { id: one, outcome: 'done', code: null },
      { id: UNKNOWN_ID, outcome: 'refused', code: 'NOT_FOUND' },
      { id: two, outcome: 'done', code: null },
    ]);
    expect((await back.ownership.withdrawMany({ ...input, ids: [one] })).results).toEqual([
      { id: one, outcome: 'refused', code: 'NOT_FOUND' },
    ]);
  });
});
