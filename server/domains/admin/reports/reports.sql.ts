// Sums for the reports: computed by a job, from our own tables.
import { requiredFor } from '#contract/fields/draft-fields.ts';
import { WIZARD_STEPS } from '#contract/fields/token-form.ts';
import { arrayOf, date, int4, int8, orNull, text } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** Votes with a lower id may commit later than others: this many ids are read again. */
const OVERLAP = 20_000;

const weekOf = (day: string) => `date_trunc('week', ${day}::timestamp)::date`;
const dayOf = (moment: string) => `(${moment} at time zone 'UTC')::date`;

/** Weeks of the votes since the last run. The end is read before, so that no vote in between is missed. */
export const addVoterWeeks = command({
  parameters: { until: int8 },
  text: (at) => `
    insert into voter_weeks (user_id, week)
    select distinct v.user_id, ${weekOf('v.voted_on')} from votes v
    where v.id > coalesce((select mark from report_marks where name = 'votes'), 0) - ${OVERLAP} and v.id <= ${at.until}
    order by 1, 2
    on conflict do nothing`,
});

export const readLastVote = statement({
  parameters: {},
  row: { id: int8 },
  text: () => 'select coalesce(max(id), 0) as id from votes',
});

export const setMark = command({
  parameters: { name: text, mark: int8 },
  text: (at) => `insert into report_marks (name, mark) values (${at.name}, ${at.mark})
    on conflict (name) do update set mark = excluded.mark`,
});

/** Cohorts of the last weeks, from the weeks of each voter. */
export const sumRetention = command({
  parameters: { since: date },
  text: (at) => `
    with firsts as (select user_id, min(week) as cohort from voter_weeks group by 1 having min(week) >= ${at.since}),
    sums as (select f.cohort, w.week, count(*)::int as voters from firsts f join voter_weeks w using (user_id) group by 1, 2),
    gone as (delete from voter_retention r where not exists
      (select 1 from sums s where s.cohort = r.cohort and s.week = r.week))
    insert into voter_retention (cohort, week, voters) select cohort, week, voters from sums
    on conflict (cohort, week) do update set voters = excluded.voters where voter_retention.voters <> excluded.voters`,
});

/** Condition: the first step of the wizard is complete. A draft is created at its end, or earlier with an image. */
const filled = [...requiredFor('token'), ...requiredFor('creator')]
  .map((name) => `coalesce(r.token_data ->> '${name}', '') <> ''`)
  .join(' and ');

/** Names of the second to the last step of the wizard. */
const WIZARD = ['request_market', 'request_contact', 'request_plan', 'request_payment'];

/** A payment `p` that pays its order; one in part does when the team accepted it as enough. */
const paysItsOrder = `p.confirmed_at is not null and (p.state <> 'partially_paid' or jsonb_typeof(p.ledger -> 'accepted') = 'object')`;

const both = (action: string): string[] => [`post.${action}`, `comment.${action}`];

/**
 * What the moderation load counts, from the audit log: its entries outlast the reports, reviews and copies that are deleted with a text, an
 * account or after some time. A report that is kept counts once for each report of the text. Staff who hide or delete a text of their own,
 * as any author, are not counted, nor a role that is given to somebody who did not request it. A text whose review ended by a restore has
 * no entry of its own, and is counted from its review.
 */
const COUNTED_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  text_reported: both('reported'),
  text_hidden: [...both('deleted'), ...both('report_hidden')],
  text_restored: both('restored'),
  report_kept: both('report_kept'),
  member_banned: ['member.banned', 'member.disabled'],
  text_waited: both('review_asked'),
  text_reviewed: [...both('review_released'), ...both('review_declined')],
  appeal_made: both('appealed'),
  appeal_decided: [...both('appeal_upheld'), ...both('appeal_reversed')],
  moderator_decided: ['moderator_request.approved', 'moderator_request.rejected', 'role.assigned'],
};
const COUNTED = Object.entries(COUNTED_ACTIONS)
  .flatMap(([name, actions]) => actions.map((action) => `('${action}', '${name}')`))
  .join(', ');

const steps = `
  select ${dayOf('r.created_at')} as day, 'request_started' as name from token_creation_submissions r where r.created_at >= $since
  union all
  select ${dayOf('r.created_at')}, 'request_filled' from token_creation_submissions r where r.created_at >= $since
    and ${filled}
  union all
  select ${dayOf('r.created_at')}, (array['${WIZARD.join("', '")}'])[step - 1] from token_creation_submissions r, generate_series(2,
      case when exists (select 1 from payments p where p.submission_id = r.id) then ${WIZARD_STEPS} else r.furthest_step end) step
    where r.created_at >= $since
  union all
  select ${dayOf('r.created_at')}, 'request_ordered' from token_creation_submissions r where r.created_at >= $since
    and exists (select 1 from payments p where p.submission_id = r.id)
  union all
  select ${dayOf('r.created_at')}, 'request_paid' from token_creation_submissions r where r.created_at >= $since
    and exists (select 1 from payments p where p.submission_id = r.id and ${paysItsOrder})
  union all
  select ${dayOf('r.created_at')}, 'request_delivered' from token_creation_submissions r where r.created_at >= $since
    and (r.closed_as = 'delivered' or exists
      (select 1 from token_creations c where c.submission_id = r.id and c.state = 'completed'))
  union all
  select ${dayOf('a.at')}, c.name from audit_events a join (values ${COUNTED}) c (action, name) on c.action = a.action
    cross join lateral generate_series(1, case when c.name = 'report_kept' then coalesce((a.after ->> 'reports')::int, 1) else 1 end)
    where a.at >= $since
      and (c.name not in ('text_hidden', 'text_restored', 'report_kept', 'member_banned') or a.actor_role in ('admin', 'moderator'))
      and (c.name <> 'text_hidden' or a.before ->> 'authorId' is distinct from a.actor_id::text)
      and (a.action <> 'role.assigned' or a.before ->> 'status' = 'pending')
  union all
  select ${dayOf('v.decided_at')}, 'text_reviewed' from forum_reviews v where v.decided_at >= $since and v.state = 'released'
    and not exists (select 1 from audit_events a where a.resource_type = v.what and a.resource_id = v.text_id::text
      and a.action in (v.what || '.review_released', v.what || '.review_declined'))`;

/** Recomputes the days from a given one on: the outcome of a request counts for the day on which it was begun. */
export const sumDays = command({
  parameters: { since: date },
  text: (at) => `
    with happened as (${steps.replaceAll('$since', `(${at.since}::timestamp at time zone 'UTC')`)}),
    sums as (select day, name, count(*)::int as n from happened group by 1, 2),
    gone as (delete from report_days d where d.day >= ${at.since} and not exists
      (select 1 from sums s where s.day = d.day and s.name = d.name))
    insert into report_days (day, name, n) select day, name, n from sums
    on conflict (day, name) do update set n = excluded.n where report_days.n <> excluded.n`,
});

/** When sums were last computed, in seconds since 1970; null before the first time. */
export const readMark = statement({
  parameters: { name: text },
  row: { mark: orNull(int8) },
  text: (at) => `select (select mark from report_marks where name = ${at.name}) as mark`,
});

/** Sums by week, newest first. */
export const readWeeks = statement({
  parameters: { names: arrayOf(text), since: date },
  row: { week: text, name: text, n: int4 },
  text: (at) => `
    select coalesce(to_char(${weekOf('day')}, 'YYYY-MM-DD'), '') as week, name, sum(n)::int as n from report_days
    where name = any(${at.names}) and day >= ${at.since} group by 1, 2 order by 1 desc`,
});

export const readRetention = statement({
  parameters: { since: date },
  row: { cohort: text, age: int4, voters: int4 },
  text: (at) => `
    select coalesce(to_char(cohort, 'YYYY-MM-DD'), '') as cohort, ((week - cohort) / 7)::int as age, voters from voter_retention
    where cohort >= ${at.since} order by 1 desc, 2`,
});
