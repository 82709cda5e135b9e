import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { launchWindowTexts } from '#app/lib/messages/launch-window.ts';
import Heartbeat from './Heartbeat.tsx';

/**
 * Polling interval in milliseconds; it grows with the number of waiting members, so that the total rate is limited to that of five
 * hundred.
 */
const POLL_MS = 5_000;
const pollAfter = (waiting = 0) => POLL_MS * Math.max(1, waiting / 500);

/** Number of members who wait for a launch; includes the user's own tab while this is shown. */
export default function WaitingCount({ id, memberId }: { id: string; memberId: string | undefined }) {
  const { launchWindow: text } = useText(launchWindowTexts);
  const locale = useLocale();
  const { data } = useQuery(
    rpc.presence.waiting.queryOptions({
      input: { id },
      refetchInterval: ({ state }) => pollAfter(state.data?.waiting),
      staleTime: POLL_MS / 2,
      enabled: !import.meta.env.SSR,
    }),
  );
  return (
    <>
      {memberId ? <Heartbeat key={memberId} memberId={memberId} waitsFor={id} /> : null}
      <p className="min-h-7 text-lg font-semibold">
        {data ? (data.waiting > 0 ? text.waiting(integer(data.waiting, locale)) : text.nobody) : null}
      </p>
      <p className="text-sm text-[#cfcbd8]">{text.waitingNote}</p>
    </>
  );
}
