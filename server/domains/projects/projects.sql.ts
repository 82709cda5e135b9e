import { figureSource } from '#contract/domains/market.ts';
import { exactMoment, float8, int4, jsonb, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { marketCapSource, priceChange7d, shownMarketCap } from '#server/domains/market/figures.service.ts';
import { verifiedColumn, verifiedSql } from '#server/domains/ownership/verified.service.ts';
import { asRunningPlace, runningPlaceSql } from './sold-places.service.ts';

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
const columns = (
  now: string,
) => `id, token_name as "tokenName", token_symbol as "tokenSymbol", token_slug as "tokenSlug", description,
  image_url as "imageUrl", ${shownMarketCap('projects')} as "marketCap", ${marketCapSource('projects')} as "marketCapFrom", progress_percentage as "progressPercentage", status,
  ${priceChange7d('projects', now)} as "change7d", ${verifiedSql('projects', 'project_id')} as verified,
  ${runningPlaceSql('projects')} as sold, order_index as "orderIndex", created_at as "createdAt", created_at::text as at`;
const ON_HOME = `status in ('published_home', 'approved') and deleted_at is null`;

/** Condition that excludes the podium's first `skipped` places; 0 excludes none. */
const notOnPodium = (skipped: string) => `not (status = 'published_home' and order_index between 1 and ${skipped})`;

const BY_PLACE = 'order by order_index, created_at desc, id';
const BY_AGE = 'order by created_at desc, id';
const older = (at: { at: string; id: string }) => `created_at <= ${at.at} and (created_at < ${at.at} or id > ${at.id})`;

/** The projects in the podium's places, in order. */
export const readPodium = statement({
  prepared: 'projects_on_podium',
  parameters: { now: timestamptz, places: int4 },
  row: ROW,
  text: (at) => `select ${columns(at.now)} from projects
    where status = 'published_home' and deleted_at is null and order_index between 1 and ${at.places}
    order by order_index`,
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

/** The newest after a cursor. */
export const readByAge = statement({
  prepared: 'projects_by_age',
  parameters: { now: timestamptz, at: exactMoment, id: uuid, max: int4 },
  row: LISTED,
  text: (at) => `select ${columns(at.now)}, ${total('0')} from projects
    where ${ON_HOME} and ${older(at)} ${BY_AGE} limit ${at.max}`,
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
  text: (at) => `select ${columns(at.now)}, ${total(at.skipped)} from projects
    where ${ON_HOME} and ${notOnPodium(at.skipped)} ${BY_PLACE} limit ${at.max}`,
});

/** The page after a cursor: two index ranges instead of one 'or', which would read every row of the same position again. */
export const readByPlace = statement({
  prepared: 'projects_page',
  parameters: { now: timestamptz, skipped: int4, place: int4, at: exactMoment, id: uuid, max: int4 },
  row: LISTED,
  text: (at) => `select page.*, ${total(at.skipped)} from (
    (select ${columns(at.now)} from projects
      where ${ON_HOME} and ${notOnPodium(at.skipped)} and order_index = ${at.place} and ${older(at)} ${BY_AGE} limit ${at.max})
    union all
    (select ${columns(at.now)} from projects
      where ${ON_HOME} and ${notOnPodium(at.skipped)} and order_index > ${at.place} ${BY_PLACE} limit ${at.max})
    ) page order by "orderIndex", "createdAt" desc, id limit ${at.max}`,
});
