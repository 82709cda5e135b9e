import { and, eq, inArray } from 'drizzle-orm';
import { SETTINGS, type SettingName, type SettingValue } from '#contract/domains/settings.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { settings } from '#server/db/tables/settings.ts';
import { votingRounds } from '#server/db/tables/voting.ts';

/** Settings of the rounds: their length, when they end, and whether another one follows. */
export interface Calendar {
  days: number;
  /** Hour of the UTC day at which rounds end; null: the hour at which they opened. */
  hour: number | null;
  opensNext: boolean;
}

/** Length in days of the next round by the calendar; null: voting pauses. */
export const nextRoundDays = ({ days, opensNext }: Calendar): number | null => (opensNext ? days : null);

/** Settings of the calendar; they have no environment variable, so the stored values apply in every process. */
export const CALENDAR_SETTINGS = ['roundDays', 'roundHour', 'roundFollows'] as const satisfies SettingName[];
type Name = (typeof CALENDAR_SETTINGS)[number];

/** The stored calendar, as the calling transaction sees it. */
export async function readCalendar(db: Reader): Promise<Calendar> {
  const rows = await db
    .select({ key: settings.key, value: settings.value })
    .from(settings)
    .where(inArray(settings.key, [...CALENDAR_SETTINGS]));
  const storedOf = <One extends Name>(name: One): SettingValue<One> => {
    const read = SETTINGS[name].schema.safeParse(rows.find(({ key }) => key === name)?.value);
    return (read.success ? read.data : SETTINGS[name].defaultValue) as SettingValue<One>;
  };
  return { days: storedOf('roundDays'), hour: storedOf('roundHour'), opensNext: storedOf('roundFollows') };
}

/** Updates, after a change of the calendar, what follows the open round, unless an admin set it for that round. */
export async function applyCalendar(tx: Tx): Promise<void> {
  await tx
    .update(votingRounds)
    .set({ nextDays: nextRoundDays(await readCalendar(tx)) })
    .where(and(eq(votingRounds.status, 'open'), eq(votingRounds.nextByCalendar, true)));
}
