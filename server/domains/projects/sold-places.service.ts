import { z } from 'zod';
import type { Project } from '#contract/domains/projects.ts';

const running = z.object({ kind: z.enum(['home', 'top3']), until: z.coerce.date() }).nullable();
export type RunningPlace = z.infer<typeof running>;
/** Parses the result of the SQL below. */
export const asRunningPlace = (value: unknown): RunningPlace => running.parse(value);

/**
 * SQL for the sold place of rows of projects that is running by the database's clock, as jsonb or null. A project has at most one
 * (`sold_places_running_of_project`), so the join adds no rows.
 *
 * @param rows their alias in the statement; the join has the alias `place`.
 */
export const joinedRunningPlace = (rows: string): { join: string; place: string } => ({
  join: `left join sold_places place on place.project_id = ${rows}.id and place.ended_at is null and place.ends_at > clock_timestamp()`,
  place: `case when place.id is not null then jsonb_build_object('kind', place.kind,
    'until', to_char(place.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end`,
});

const day = (at: Date, locale: 'es-ES' | 'en-US') =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(at);

/**
 * Text that visitors see next to a project in a sold place. It is rendered by the server, like the texts on cards, because home's
 * scripts are at their size limit (ADR 0013). The day is in UTC.
 */
export function soldPlaceLabel(place: RunningPlace): Project['sold'] {
  if (!place) return null;
  const { kind, until } = place;
  return {
    until: until.toISOString(),
    es: `Espacio contratado${kind === 'top3' ? ' en el Top 3' : ''} hasta el ${day(until, 'es-ES')}`,
    en: `Paid placement${kind === 'top3' ? ' in the Top 3' : ''} until ${day(until, 'en-US')}`,
  };
}
