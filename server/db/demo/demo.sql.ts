// Statements that fill the tables of the demo content.
import { arrayOf, date, exactMoment, float8, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command } from '#server/db/statement.ts';

/** Sets the trust of long-standing members. */
export const trustMembers = command({
  parameters: {},
  text: () => 'insert into member_trust (user_id, level) select id, 2 from users on conflict do nothing',
});

/** Counts the comments of all posts. */
export const countComments = command({
  parameters: {},
  text: () => 'update forum_posts p set comment_count = (select count(*) from forum_comments c where c.post_id = p.id)',
});

/** Counts the reactions of all posts. */
export const countReactions = command({
  parameters: {},
  text: () => `
    insert into post_reaction_counts (post_id, emoji_type, reactions)
    select post_id, emoji_type, count(*) from post_reactions group by post_id, emoji_type`,
});

/** Marks every listed token as invented: its figures are never due. */
export const markInvented = command({
  parameters: {},
  text: () => `
    insert into market_asks (network, address, ask, next_at)
    select distinct l.network, l.address, a.ask, 'infinity'::timestamptz
    from market_listings l, (values ('prices'), ('pools'), ('holders')) a (ask)`,
});

/** Stores market figures of a Solana token, in the same order in each list. */
export const insertFigures = command({
  parameters: { address: text, figures: arrayOf(text), values: arrayOf(float8), at: timestamptz },
  text: (at) => `
    insert into market_figures (network, address, figure, value, source, at)
    select 'solana', ${at.address}, f.figure, f.value::numeric, 'demo', ${at.at}
    from unnest(${at.figures}, ${at.values}) as f (figure, value)`,
});

/** Stores prices of a Solana token; of several at one moment the highest. */
export const insertPrices = command({
  parameters: { address: text, moments: arrayOf(timestamptz), prices: arrayOf(float8) },
  text: (at) => `
    insert into market_prices (network, address, at, price)
    select 'solana', ${at.address}, p.at, max(p.price)::numeric from unnest(${at.moments}, ${at.prices}) as p (at, price)
    group by p.at`,
});

/** Stores votes in the order of their moments. */
export const insertVotes = command({
  parameters: { candidates: arrayOf(uuid), members: arrayOf(uuid), days: arrayOf(date), moments: arrayOf(exactMoment) },
  text: (at) => `
    insert into votes (candidate_id, user_id, voted_on, created_at)
    select * from unnest(${at.candidates}, ${at.members}, ${at.days}, ${at.moments}) as v (candidate, member, day, at)
    order by v.at`,
});

/** Counts the votes of each candidate and day. */
export const countDays = command({
  parameters: {},
  text: () => `
    insert into candidate_daily_votes (candidate_id, day, votes)
    select candidate_id, voted_on, count(*) from votes group by candidate_id, voted_on`,
});

/** Stores the totals of all candidates, and when they were reached. */
export const countTotals = command({
  parameters: {},
  text: () => `
    update voting_candidates c set total_votes = v.total, total_reached_at = v.latest
    from (select candidate_id, count(*) as total, max(created_at) as latest from votes group by candidate_id) v
    where v.candidate_id = c.id`,
});
