import { a11yViolations, expect, test, visit } from './support.ts';

const WORD = `Torcaza${Date.now().toString(36)}`;
const NUMBERS = 'from generate_series(10, 34) n';
/** 25 of each kind: a page of 20, and one of 5. */
const ROWS = [
  `insert into projects (token_name, token_symbol, token_slug, token_address, status)
   select $1 || ' ' || n, 'TOR', lower($1) || n, lower($1) || n, 'approved' ${NUMBERS}`,
  `insert into voting_candidates (token_name, token_symbol, token_slug) select $1 || ' ' || n, 'TOR', lower($1) || 'c' || n ${NUMBERS}`,
  `insert into next_projects (token_name, token_symbol, status, is_active) select $1 || ' ' || n, 'TOR', 'published', true ${NUMBERS}`,
  `with people as (
     insert into forum_users (username, name_key, wallet_address, migration_status)
     select $1 || '_' || n, florka_name_key($1 || '_' || n), 'user_' || lower($1) || n, 'pending' ${NUMBERS} returning id
   ) insert into forum_posts (title, content, forum_user_id) select 'Una nota', 'Algo', id from people`,
];

const KINDS = [
  ['tokens', 'Tokens', 'See more Tokens', 'projects'],
  ['candidates', 'Candidatos', 'See more Candidates', 'voting_candidates'],
  ['launches', 'Lanzamientos', 'See more Launches', 'next_projects'],
  ['people', 'Personas', 'See more People', null],
] as const;

for (const [i, [kind, heading, english, table]] of KINDS.entries())
  test(`all pages of the ${kind} found by a search are opened with the keyboard, and each has its own address`, async ({
    page,
    database,
  }) => {
    await database.query(ROWS[i] ?? '', [WORD]);
    try {
      const group = page.getByRole('region', { name: heading });
      const hits = group.getByRole('listitem');
      await visit(page, `/search?q=${WORD}`);
      await expect(hits).toHaveCount(6);
      await group.getByRole('link', { name: `Ver más ${heading}` }).focus();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(new RegExp(`kind=${kind}`));
      await expect(hits).toHaveCount(20);
      // The link is gone with its page: the focus goes on to the first result.
      await expect(hits.first().getByRole('link')).toBeFocused();
      const seen = await hits.allTextContents();
      await group.getByRole('link', { name: `Ver más ${heading}` }).focus();
      await page.keyboard.press('Enter');
      await expect(hits).toHaveCount(5);
      await expect(hits.first().getByRole('link')).toBeFocused();
      expect(new Set([...seen, ...(await hits.allTextContents())]).size).toBe(25);
      expect(await a11yViolations(page)).toEqual([]);
      await page.reload();
      await expect(hits).toHaveCount(5);
      await expect(group.getByRole('link', { name: /^Ver más/ })).toHaveCount(0);
      await page.goBack();
      await expect(hits).toHaveCount(20);
      await visit(page, `/en/search?q=${WORD}&kind=${kind}`);
      await expect(page.getByRole('link', { name: english })).toBeVisible();
      await visit(page, `/search?q=${WORD}&kind=${kind}&after=%00%F0%9F`);
      await expect(hits).toHaveCount(20);
    } finally {
      if (table) await database.query(`delete from ${table} where token_name like $1 || '%'`, [WORD]);
    }
  });
