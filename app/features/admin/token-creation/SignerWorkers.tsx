import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminCreationTexts } from '#app/lib/messages/admin/token-creation/creation-part.ts';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { ChainStatus } from '#contract/admin/token-creation.ts';

/** Polling interval of the signer's status. Milliseconds. */
const POLL_MS = 15_000;

export const chainsQuery = () =>
  rpc.admin.tokenRequests.chains.queryOptions({ refetchInterval: POLL_MS, refetchOnWindowFocus: true });

/** What can be created on each network now, and if not, why: shown before anybody fills in a form. */
export function SignerWorkers() {
  const messages = useText(adminCreationTexts).creation.workers;
  const { data, isError } = useQuery(chainsQuery());
  return (
    <section className="admin-panel grid grid-cols-1 gap-3" aria-label={messages.heading}>
      <h2>{messages.heading}</h2>
      {data ? (
        <ul className="grid grid-cols-1 gap-3">
          {data.map((chain) => (
            <SignerWorker key={chain.network} chain={chain} />
          ))}
        </ul>
      ) : isError ? (
        <p role="alert">{messages.failed}</p>
      ) : (
        <SkeletonGroup label={messages.loading} className="grid gap-2">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </SkeletonGroup>
      )}
    </section>
  );
}

function SignerWorker({ chain }: { chain: ChainStatus }) {
  const text = useText(adminTokenTexts, adminCreationTexts);
  const messages = text.creation.workers;
  const locale = useLocale();
  const { networks, chainWhy } = text.tokenAdmin.create;
  const figures = [
    chain.balance !== null && chain.coin !== null ? `${chain.balance} ${chain.coin}` : null,
    chain.enoughFor === null ? null : messages.enough(chain.enoughFor, integer(chain.enoughFor, locale)),
    chain.usedToday === null || chain.dailyCap === null ? null : messages.today(chain.usedToday, chain.dailyCap),
  ].filter((one) => one !== null);
  return (
    <li className="grid gap-0.5">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">{networks[chain.network]}</span>
        <Badge tone={chain.why === null ? 'mint' : 'neutral'}>
          {chain.why === null ? messages.ready : messages.not}
        </Badge>
        {chain.production === false ? <Badge tone="sky">{messages.test}</Badge> : null}
      </p>
      {chain.why === null ? null : <p className="text-sm text-quiet">{chainWhy[chain.why]}</p>}
      {figures.length > 0 ? <p className="figures text-sm text-quiet">{figures.join(' · ')}</p> : null}
      {chain.deployer ? (
        <p className="text-sm">
          <Copyable value={chain.deployer} label={messages.key} copiedLabel={messages.copied} head={10} tail={8} />
        </p>
      ) : null}
    </li>
  );
}
