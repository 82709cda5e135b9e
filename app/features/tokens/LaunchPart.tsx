import { LaunchCountdown } from '#app/lib/format/LaunchCountdown.tsx';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { launchTexts } from '#app/lib/messages/launch.ts';
import { tokenTexts } from '#app/lib/messages/token.ts';
import type { LaunchChange } from '#contract/domains/next-projects.ts';
import type { Token } from '#contract/domains/tokens.ts';
import { launchTime } from '#contract/text/launch-time.ts';

/** The launch of a NEXT project: date, countdown, proof, and the changes of its announced hour. */
export function LaunchPart({ launch, serverTime }: { launch: NonNullable<Token['launch']>; serverTime: string }) {
  const text = useText(tokenTexts);
  const at = launchTime(launch);
  const launched = launch.status === 'launched';
  return (
    <div className="card mt-5 p-5">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h2 className="text-lg">{text.token.launch}</h2>
          <p className="text-quiet">
            {text.token.launchDate}: {at ? <LocalTime iso={at} /> : text.countdown.noDate}
          </p>
        </div>
        {/* Without a date there is no countdown, and the line next to it says so. */}
        {at || launched ? (
          <LaunchCountdown
            countdownEnd={launch.countdownEnd}
            launchDate={launch.launchDate}
            launched={launched}
            proof={launch.proof}
            serverTime={serverTime}
            size="md"
            long
          />
        ) : null}
      </div>
      <LaunchChanges changes={launch.changes ?? []} />
    </div>
  );
}

/** Every change of the announced hour: before, after, and when. */
function LaunchChanges({ changes }: { changes: LaunchChange[] }) {
  const { launching: text } = useText(launchTexts);
  if (changes.length === 0) return null;
  const hour = (iso: string | null) => (iso ? <LocalTime iso={iso} /> : text.noHour);
  return (
    <div className="mt-4 border-t border-line pt-4 text-sm">
      <h3 className="text-base">{text.changes}</h3>
      <ul className="mt-2 grid gap-2">
        {changes.map(({ was, becomes, at }) => (
          <li key={at}>
            <span className="visually-hidden">{text.was}: </span>
            <del className="text-quiet">{hour(was)}</del> <span aria-hidden="true">→</span>{' '}
            <span className="visually-hidden">{text.becomes}: </span>
            <span className="font-semibold">{hour(becomes)}</span>
            <span className="block text-quiet">
              {text.changed} <LocalTime iso={at} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
