import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '#tests/support/database/database.ts';

const SOCIALS = ['website_url', 'telegram_url', 'twitter_url', 'discord_url'];
const DESCRIBED = ['id', 'token_name', 'token_symbol', 'description', 'description_full', 'image_url'];

/** Names in the specification: statements, their relation, its columns. */
const NAMED: [statements: string, relation: string, columns: string[]][] = [
  ['[DATA-01]', 'projects', [...DESCRIBED, 'token_slug', 'token_address', 'contract_address']],
  ['[DATA-02..03]', 'projects', [...SOCIALS, 'holders_count']],
  ['[DATA-04] [DATA-06]', 'projects', ['market_cap', 'progress_percentage']],
  [
    '[DATA-07..08]',
    'projects',
    ['status', 'is_featured', 'order_index', 'admin_notes', 'submitted_by_user_id', 'created_at'],
  ],
  [
    '[DATA-09..10]',
    'voting_candidates_with_stats',
    [...DESCRIBED, ...SOCIALS, 'token_slug', 'total_votes', 'votes_today', 'holders_count', 'market_cap', 'is_active'],
  ],
  ['[DATA-11] [DATA-13]', 'voting_candidates', [...DESCRIBED, ...SOCIALS, 'token_slug', 'contract_address']],
  ['[DATA-12]', 'voting_candidates', ['order_index', 'is_active', 'admin_notes']],
  ['[DATA-12]', 'voting_candidates_with_stats', ['total_votes', 'votes_today']],
  [
    '[DATA-14]',
    'voting_candidates',
    'price volume_24h market_cap swaps_count max_supply tokens_in_swap holders_count tokens_with_holders sol_in_liquidity tokens_in_sol_pool war_in_liquidity tokens_in_war_pool locked_amount locked_value burnt_percentage'.split(
      ' ',
    ),
  ],
  [
    '[DATA-15..18]',
    'next_projects',
    [...DESCRIBED, ...SOCIALS, 'token_address', 'contract_address', 'market_cap', 'progress_percentage'],
  ],
  [
    '[DATA-19..21]',
    'next_projects',
    'launch_date countdown_end status is_featured is_active is_voting_winner voting_round_id order_index progress_percentage'.split(
      ' ',
    ),
  ],
  ['[DATA-22..23]', 'next_projects', 'price admin_notes submitted_by_user_id created_at updated_at'.split(' ')],
  [
    '[DATA-25..30]',
    'token_creation_submissions',
    'id membership_type token_data status payment_status payment_id user_id owner_wallet_address petitioner_email petitioner_telegram selected_network plan_price_usd plan_price_sol created_at'.split(
      ' ',
    ),
  ],
  ['[DATA-38]', 'blockchain_networks', ['id', 'name', 'symbol', 'is_active', 'created_at']],
  [
    '[DATA-41] [DATA-65]',
    'news',
    'id title content image_url author_name is_active published_at created_at updated_at'.split(' '),
  ],
  ['[DATA-42] [DATA-62]', 'forum_posts', ['id', 'title', 'content', 'forum_user_id', 'is_hidden', 'created_at']],
  ['[DATA-43] [DATA-61]', 'forum_users', ['id', 'username', 'wallet_address', 'new_auth_user_id', 'migration_status']],
  ['[DATA-44]', 'forum_comments', ['id', 'post_id', 'user_id', 'content', 'created_at', 'is_hidden']],
  ['[DATA-45]', 'post_reactions', ['post_id', 'user_id', 'emoji_type']],
  ['[DATA-46..47] [DATA-64]', 'user_connections', ['user_id', 'last_seen', 'is_online']],
  [
    '[DATA-48..49] [DATA-54] [DATA-63]',
    'user_roles',
    ['id', 'user_id', 'role', 'moderator_request_status', 'requested_at'],
  ],
  ['[DATA-51]', 'admin_profiles', ['id', 'role']],
  ['[DATA-52]', 'admin_users', ['email']],
  [
    '[DATA-59]',
    'project_submissions',
    'id submitter_name submitter_email status admin_notes reviewed_at created_at project_data'.split(' '),
  ],
  ['[DATA-66]', 'votes', ['id']],
];

/** Permitted values of a column, and its default. */
const VALUES: [statements: string, column: string, allowed: string[], byDefault: string | null][] = [
  ['[DATA-24]', 'token_creation_submissions.membership_type', ['entry', 'basic', 'standard', 'complete'], 'entry'],
  ['[DATA-48] [DATA-67]', 'user_roles.moderator_request_status', ['approved', 'pending', 'rejected'], 'approved'],
  ['[DATA-48]', 'user_roles.role', ['user', 'moderator', 'admin'], 'user'],
  ['[DATA-59] [DATA-68]', 'project_submissions.status', ['new', 'reviewed', 'approved', 'rejected'], 'new'],
];

const DEFAULTS: [statement: string, column: string, value: string][] = [
  ['[DATA-04]', 'projects.market_cap', '$0'],
  ['[DATA-20]', 'next_projects.is_active', 'true'],
  ['[DATA-22]', 'next_projects.market_cap', 'TBD'],
  ['[DATA-26] [DATA-36]', 'token_creation_submissions.payment_status', 'pending'],
  ['[DATA-41]', 'news.author_name', 'Admin'],
];

describe('the tables of the specification', () => {
  const database = useDatabase();
  const columns = new Map<string, { byDefault: string | null; nullable: boolean }>();
  const checks: { relation: string; definition: string }[] = [];

  beforeAll(async () => {
    const found = await database.pool.query<{ name: string; byDefault: string | null; nullable: boolean }>(
      `select table_name || '.' || column_name as name, is_nullable = 'YES' as nullable,
              regexp_replace(column_default, '^''(.*)''::.*$', '\\1') as "byDefault"
       from information_schema.columns where table_schema = 'public'`,
    );
    for (const row of found.rows) columns.set(row.name, row);
    const { rows } = await database.pool.query<{ relation: string; definition: string }>(
      `select conrelid::regclass::text as relation, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'c'`,
    );
    checks.push(...rows);
  });

  it.each(NAMED)('%s: %s has all columns', (_statements, relation, wanted) => {
    expect(wanted.filter((column) => !columns.has(`${relation}.${column}`))).toEqual([]);
  });

  it.each(VALUES)('%s: %s is one of %j, by default %s', (_statements, name, allowed, byDefault) => {
    expect(columns.get(name)?.byDefault).toBe(byDefault);
    const [relation, column] = name.split('.');
    const check = checks.find((one) => one.relation === relation && one.definition.includes(`(${column} = ANY`));
    expect([...(check?.definition ?? '').matchAll(/'([^']*)'/g)].map((match) => match[1]).toSorted()).toEqual(
      allowed.toSorted(),
    );
  });

  it.each(DEFAULTS)('%s: %s is %s by default', (_statement, name, value) => {
    expect(columns.get(name)?.byDefault).toBe(value);
  });

  it.each(['projects', 'next_projects', 'voting_candidates'])(
    'links of %s are web addresses, which a check of the table enforces',
    (relation) => {
      const guarded = (link: string) =>
        checks.some((one) => one.relation === relation && one.definition.includes(`${link} ~* '^https?://'`));
      const links = [...columns.keys()].filter((name) => name.startsWith(`${relation}.`) && name.endsWith('_url'));
      const names = links.map((name) => name.split('.')[1] ?? '').filter((name) => name !== 'image_url');
      expect(names.length).toBeGreaterThan(3);
      expect(names.filter((name) => !guarded(name))).toEqual([]);
    },
  );

  it('a token request may have no member and no payment [DATA-27] [DATA-29]', () => {
    expect(columns.get('token_creation_submissions.user_id')?.nullable).toBe(true);
    expect(columns.get('token_creation_submissions.payment_id')?.nullable).toBe(true);
  });
});
