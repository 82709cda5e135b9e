import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { app } from '#tests/fixtures/votes/vote-review.ts';
import { findRelated } from './hold.sql.ts';

it('earlier votes of the same members are found in the clusters, without reading any table of votes', async () => {
  const [plan] = await app.sql(`explain (format json) ${findRelated.described.text}`, [
    randomUUID(),
    [1],
    [randomUUID()],
    [randomUUID()],
  ]);
  const read = [...JSON.stringify(plan).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name]) => name);
  expect(new Set(read)).toEqual(new Set(['vote_review_votes', 'vote_review_clusters']));
});
