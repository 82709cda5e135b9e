import { and, eq, inArray } from 'drizzle-orm';
import { SETTINGS, type SettingName, type SettingValue } from '#contract/domains/settings.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { settings } from '#server/db/tables/settings.ts';
import { votingRounds } from '#server/db/tables/voting.ts';

/** How long rounds last, when they end, and whether another one follows. */
export interface Calendar {
  days: number;
  /** Hour of the UTC day at which they end; null: the one at which they opened. */
  hour: number | null;
  follows: boolean;
}

/** Days of what follows a round by the calendar; null: voting pauses. */
export const nextBy = ({ days, follows }: Calendar): number | null => (follows ? days : null);

/** The settings that make the calendar; they have no variable, so what is stored is what counts in every process. */
export const CALENDAR_SETTINGS = ['roundDays', 'roundHour', 'roundFollows'] as const satisfies SettingName[];
type Name = (typeof CALENDAR_SETTINGS)[number];

/** The calendar as it is stored, to the transaction that asks. */
export async function readCalendar(db: Reader): Promise<Calendar> {
  const rows = await db
    .select({ key: settings.key, value: settings.value })
    .from(settings)
    .where(inArray(settings.key, [...CALENDAR_SETTINGS]));
  const storedOf = <One extends Name>(name: One): SettingValue<One> => {
    const read = SETTINGS[name].schema.safeParse(rows.find(({ key }) => key === name)?.value);
    return (read.success ? read.data : SETTINGS[name].standard) as SettingValue<One>;
  };
  return { days: storedOf('roundDays'), hour: storedOf('roundHour'), follows: storedOf('roundFollows') };
}

/** After a change of the calendar: what follows the open round, unless an admin said otherwise for it. */
export async function followCalendar(tx: Tx): Promise<void> {
  await tx
    .update(votingRounds)
    .set({ nextDays: nextBy(await readCalendar(tx)) })
    .where(and(eq(votingRounds.status, 'open'), eq(votingRounds.nextByCalendar, true)));
}
