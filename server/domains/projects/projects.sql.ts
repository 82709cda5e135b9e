import { figureSource } from '#contract/domains/market.ts';
import { exactMoment, float8, int4, jsonb, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { joinedMarketCap, marketKeyColumns, priceChange7d } from '#server/domains/market/figures.service.ts';
import { joinedVerified, verifiedColumn } from '#server/domains/ownership/verified.service.ts';
import { asRunningPlace, joinedRunningPlace } from './sold-places.service.ts';

/** Public columns only; admin notes and similar ones are never selected. */
const ROW = {
  id: uuid,
  tokenName: text,
  tokenSymbol: text,
  tokenSlug: text,
  description: orNull(text),
  imageUrl: orNull(text),
  marketCap: text,
  marketCapFrom: orNull(oneOf(figureSource.options)),
  progressPercentage: int4,
  status: oneOf(['published_home', 'approved']),
  change7d: orNull(float8),
  verified: verifiedColumn,
  sold: orNull(jsonb(asRunningPlace)),
  orderIndex: int4,
  createdAt: timestamptz,
  /** When it was created, to the microsecond. */
  at: text,
};
/** Columns of projects that a statement reads to select its rows. */
const CHOSEN = `select id, token_name, token_symbol, token_slug, description, image_url, market_cap, progress_percentage, status,
  order_index, created_at, ${marketKeyColumns('projects')} from projects`;
const cap = joinedMarketCap('page');
const proven = joinedVerified('page', 'project_id', 'page');
const sold = joinedRunningPlace('page');

/**
 * The rows of `ROW` of the selected projects, unordered. They are selected first, and then related data is joined.
 *
 * @param chosen a statement with the columns of `CHOSEN`.
 * @param more further columns.
 */
const rowsOf = (
  chosen: string,
  now: string,
  more = '',
) => `with page as materialized (${chosen}) select page.id, token_name as "tokenName", token_symbol as "tokenSymbol",
  token_slug as "tokenSlug", description, image_url as "imageUrl", ${cap.shown} as "marketCap", ${cap.source} as "marketCapFrom",
  progress_percentage as "progressPercentage", status, ${priceChange7d('page', now)} as "change7d", ${proven.verified} as verified,
  ${sold.place} as sold, order_index as "orderIndex", page.created_at as "createdAt", page.created_at::text as at${more}
  from page ${cap.join} ${proven.join} ${sold.join}`;

const ON_HOME = `status in ('published_home', 'approved') and deleted_at is null`;

/** Condition that excludes the podium's first `skipped` places; 0 excludes none. */
const notOnPodium = (skipped: string) => `not (status = 'published_home' and order_index between 1 and ${skipped})`;

const BY_PLACE = 'order by order_index, created_at desc, id';
const BY_AGE = 'order by created_at desc, id';
const PAGE_BY_PLACE = 'order by page.order_index, page.created_at desc, page.id';
const PAGE_BY_AGE = 'order by page.created_at desc, page.id';
const older = (at: { at: string; id: string }) => `created_at <= ${at.at} and (created_at < ${at.at} or id > ${at.id})`;

/** The projects in the podium's places, in order. */
export const readPodium = statement({
  prepared: 'projects_on_podium',
  parameters: { now: timestamptz, places: int4 },
  row: ROW,
  text: (at) =>
    `${rowsOf(
      `${CHOSEN} where status = 'published_home' and deleted_at is null and order_index between 1 and ${at.places}`,
      at.now,
    )} order by page.order_index`,
});

/**
 * A row of a page, with the number of rows of all pages: read in the same statement, because each costs a round trip. Those on the
 * podium are subtracted from the counter of all (ADR 0077).
 */
const LISTED = { ...ROW, total: int4 };
const total = (
  skipped: string,
) => `((select coalesce(sum(amount), 0) from counter_changes where counter = 'listed_projects')
  - (select count(*) from projects where status = 'published_home' and deleted_at is null
    and order_index between 1 and ${skipped}))::int4 as total`;

/** Projects after a cursor, newest first. */
export const readByAge = statement({
  prepared: 'projects_by_age',
  parameters: { now: timestamptz, at: exactMoment, id: uuid, max: int4 },
  row: LISTED,
  text: (at) =>
    `${rowsOf(
      `${CHOSEN} where ${ON_HOME} and ${older(at)} ${BY_AGE} limit ${at.max}`,
      at.now,
      `, ${total('0')}`,
    )} ${PAGE_BY_AGE}`,
});

/** The number of projects of a list, for a page without rows. */
export const countListed = statement({
  parameters: { skipped: int4 },
  row: { total: int4 },
  text: (at) => `select ${total(at.skipped)}`,
});

/** The first page by position, then newest first. */
export const readFirstByPlace = statement({
  prepared: 'projects_first_page',
  parameters: { now: timestamptz, skipped: int4, max: int4 },
  row: LISTED,
  text: (at) =>
    `${rowsOf(
      `${CHOSEN} where ${ON_HOME} and ${notOnPodium(at.skipped)} ${BY_PLACE} limit ${at.max}`,
      at.now,
      `, ${total(at.skipped)}`,
    )} ${PAGE_BY_PLACE}`,
});

/** The page after a cursor: two index ranges instead of one 'or', which would read every row of the same position again. */
export const readByPlace = statement({
  prepared: 'projects_page',
  parameters: { now: timestamptz, skipped: int4, place: int4, at: exactMoment, id: uuid, max: int4 },
  row: LISTED,
  text: (at) =>
    `${rowsOf(
      `select * from (
      (${CHOSEN} where ${ON_HOME} and ${notOnPodium(at.skipped)} and order_index = ${at.place} and ${older(at)} ${BY_AGE}
        limit ${at.max})
      union all
      (${CHOSEN} where ${ON_HOME} and ${notOnPodium(at.skipped)} and order_index > ${at.place} ${BY_PLACE} limit ${at.max})
    ) both_ranges ${BY_PLACE} limit ${at.max}`,
      at.now,
      `, ${total(at.skipped)}`,
    )} ${PAGE_BY_PLACE}`,
});
