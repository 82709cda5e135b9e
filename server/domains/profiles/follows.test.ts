import { expect, it } from 'vitest';
import { FOLLOWS_SHOWN } from '#contract/domains/profiles.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();

it('a public page shows the newest followed tokens that are public, also when hidden ones were saved later', async () => {
  const ana = await app.member();
  await app.as(ana).profiles.setSettings({ showPage: true, showVotes: false, showFollows: true, showCreated: false });
  const shown = await app.project({ token_name: 'Se ve' });
  await app.as(ana).saved.set({ kind: 'project', id: shown.id, saved: true });
  await app.sql(
    `with made as (
       insert into projects (token_name, token_symbol, token_slug, token_address, status)
       select 'Oculto ' || n, 'OCU', 'hidden-' || n, 'hidden-address-' || n, 'pending' from generate_series(1, $2::int) n returning id
     )
     insert into saved_tokens (user_id, project_id, saved_at) select $1, id, now() + interval '1 hour' from made`,
    [ana.id, FOLLOWS_SHOWN],
  );
  const { follows } = await app.as().profiles.page({ name: ana.username });
  expect(follows?.map(({ id }) => id)).toEqual([shown.id]);
});
