import { describe, expect, it } from 'vitest';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, order } = await paymentRig();
const back = app.as(await app.member({ role: 'admin' })).admin;
const colleague = await app.member({ role: 'admin' });
const theirs = app.as(colleague).admin;

describe('the assignment of several deliverables', () => {
  it('assigns each with an audit entry of its own, and refuses those closed or changed since', async () => {
    const request = await order('basic');
    request.move('finished', 1);
    await request.check();
    const { id } = request;
    const { rows } = await back.deliverables.list({ request: id, state: 'all', size: 100 });
    const [one, two, changed, closed] = rows;
    if (!one || !two || !changed || !closed) throw new Error('too few tasks');
    await theirs.deliverables.assign({ id: changed.id, version: changed.version, owner: 'me' });
    const done = await back.deliverables.deliver({
      id: closed.id,
      version: closed.version,
      kind: 'url',
      evidence: `https://example.org/${closed.id}`,
      note: '',
    });
    const records = [one, two, changed, { id: closed.id, version: done.version }].map((row) => ({
      id: row.id,
      version: row.version,
    }));
    const { results } = await back.deliverables.assignMany({ records, owner: 'me' });
    expect(results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['done', null],
      ['done', null],
      ['refused', 'VERSION_CONFLICT'],
      ['refused', 'DELIVERABLE_CLOSED'],
    ]);
    const owned = (await back.deliverables.list({ request: id, state: 'all', mine: 'yes', size: 100 })).rows;
    expect(owned.map((row) => row.id).sort()).toEqual([one.id, two.id].sort());
    const again = await back.deliverables.assignMany({
      records: [{ id: one.id, version: one.version + 1 }],
      owner: 'me',
    });
    expect(again.results[0]).toMatchObject({ outcome: 'unchanged' });
    const entries = await app.sql('select 1 from audit_events where resource_id = $1 and action = $2', [
      one.id,
      'deliverable.assigned',
    ]);
    expect(entries.length).toBe(1);
  });

  it('restores the previous owners when undone, except of one that a colleague changed since', async () => {
    const request = await order('basic');
    request.move('finished', 1);
    await request.check();
    const list = async () => (await back.deliverables.list({ request: request.id, state: 'all', size: 100 })).rows;
    const [free, hers, changed] = await list();
    if (!free || !hers || !changed) throw new Error('too few tasks');
    const before = await theirs.deliverables.assign({ id: hers.id, version: hers.version, owner: 'me' });
    const seen = [free, before, changed].map(({ id, version }) => ({ id, version }));
    const later = seen.map(({ id, version }) => ({ id, version: version + 1 }));
    await back.deliverables.assignMany({ records: seen, owner: 'me' });
    await theirs.deliverables.assign({ id: changed.id, version: changed.version + 1, owner: 'me' });
    const { results } = await back.deliverables.assignMany({ records: later, owner: 'before' });
    expect(results.map(({ outcome, code }) => code ?? outcome)).toEqual(['done', 'done', 'VERSION_CONFLICT']);
    expect(results[2]).toMatchObject({ by: colleague.username });
    const ownerOf = async (id: string) => (await list()).find((row) => row.id === id)?.owner?.id ?? null;
    expect([await ownerOf(free.id), await ownerOf(hers.id), await ownerOf(changed.id)]).toEqual([
      null,
      colleague.id,
      colleague.id,
    ]);
    const [entry] = await app.sql('select after from audit_events where resource_id = $1 order by id desc limit 1', [
      hers.id,
    ]);
    expect(entry).toMatchObject({ after: { ownerId: colleague.id } });
  });
});
