import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminMoneyTexts } from '#app/lib/messages/admin/money.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { SettlementRun } from '#contract/admin/settlement.ts';
import { TIMING } from '#contract/limits.ts';
import { useAdminFailure } from '../kit/failures.ts';
import { LoadError } from '../kit/LoadError.tsx';

const TONES: Record<SettlementRun['state'], Tone> = {
  running: 'sky',
  whole: 'mint',
  cut: 'coral',
  failed: 'coral',
  not_allowed: 'coral',
  no_provider: 'neutral',
};
/** Number of comparisons shown. */
const MAX_SHOWN = 5;

/** The latest comparisons, and the button that starts one. */
export function SettlementRuns() {
  const messages = useText(adminMoneyTexts).settlement;
  const locale = useLocale();
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const query = useQuery(rpc.admin.settlement.runs.queryOptions({ refetchInterval: TIMING.dashboardRefresh }));
  const run = useMutation({
    mutationFn: () => client.admin.settlement.run(),
    onSuccess: () => notify.success({ title: messages.requested }),
    onError: (error) => notify.failed(error, { title: messages.checkFailed, text: failure(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.admin.settlement.key() }),
  });
  const runs = query.data?.runs.slice(0, MAX_SHOWN) ?? [];
  return (
    <section className="admin-panel grid grid-cols-1 gap-3" aria-label={messages.last}>
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2>{messages.last}</h2>
        <Button size="sm" variant="primary" busy={run.isPending} onClick={() => run.mutate()}>
          {messages.runNow}
        </Button>
      </header>
      {query.isError && !query.data ? (
        <LoadError what={messages.runsFailed} of={query} className="admin-note" />
      ) : runs.length === 0 && !query.isPending ? (
        <p className="text-sm text-quiet">{messages.noRuns}</p>
      ) : (
        <ul className="grid grid-cols-1 gap-2">
          {runs.map((one) => (
            <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <Badge tone={TONES[one.state]}>{messages.run[one.state]}</Badge>
              <When iso={one.startedAt} />
              <span className="text-quiet">{one.requestedBy ?? messages.ofTheDay}</span>
              <span className="figures">
                {messages.runText(
                  integer(one.deposits, locale),
                  integer(one.found, locale),
                  integer(one.differences, locale),
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
