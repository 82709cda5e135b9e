import '../facts.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { Tabs } from '#app/ui/controls/Tabs.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AdminProcedure } from '#contract/domains/admin.ts';
import { DiscardDialog } from '../kit/forms/DiscardDialog.tsx';
import { discardUnsavedInput, hasUnsavedInput } from '../kit/forms/leave-guard.ts';
import { useAdminList } from '../kit/list/useAdminList.ts';
import { IfAllowed, useRights } from '../kit/rights.tsx';
import { useQueryParameters } from '../kit/useQueryParameters.ts';
import { NetworksPanel } from '../networks/NetworksPanel.tsx';
import { Creation } from './CreationForm.tsx';
import { RequestDialog } from './RequestDialog.tsx';
import { RequestsPanel } from './RequestsPanel.tsx';
import { UnplacedMoney } from './UnplacedMoney.tsx';

const TABS = ['requests', 'create', 'networks'] as const;
type Tab = (typeof TABS)[number];
/** A tab is shown to users with the right to call this procedure. */
const OPENED_BY = {
  requests: 'tokenRequests.list',
  create: 'tokenRequests.createToken',
  networks: 'networks.update',
} as const satisfies Record<Tab, AdminProcedure>;

interface Opened {
  tab: Tab;
  /** Id of the request with the initial values of the form. */
  from: string | null;
}

/** Requests, creation and networks; the tab and the request are parameters of the address. */
export function TokenCreation() {
  const messages = useText(adminTokenTexts).tokenAdmin;
  const { parameters, set, reset } = useQueryParameters();
  const { may } = useRights();
  const tabs = TABS.filter((one) => may(OPENED_BY[one]));
  const tab = tabs.find((one) => one === parameters.get('tab')) ?? 'requests';
  const viewed = parameters.get('request');
  useRequestOfPayment();
  /** The tab that was chosen while the current one has unsaved input, which it takes with it. */
  const [wanted, setWanted] = useState<Opened | null>(null);
  // Each tab has its own search, filters and pages.
  const go = ({ tab: next, from }: Opened) => reset({ tab: next === 'requests' ? null : next, from });
  const open = (next: Tab, from: string | null = null) => {
    if (hasUnsavedInput()) setWanted({ tab: next, from });
    else go({ tab: next, from });
  };
  const view = (id: string | null) => set({ request: id });
  return (
    <>
      <Tabs
        label={messages.tabs.label}
        value={tab}
        onValueChange={(next) => open(next as Tab)}
        manual
        items={[
          {
            value: 'requests',
            label: messages.tabs.requests,
            content: (
              <div className="grid grid-cols-1 gap-4">
                <IfAllowed call="unplaced.list">
                  <UnplacedMoney chosen={parameters.get('deposit')} onView={view} />
                </IfAllowed>
                <RequestsPanel onView={view} />
              </div>
            ),
          },
          {
            value: 'create',
            label: messages.tabs.create,
            content: <Creation from={parameters.get('from')} onView={view} onPrefill={(id) => set({ from: id })} />,
          },
          { value: 'networks', label: messages.tabs.networks, content: <Networks /> },
        ].filter(({ value }) => tabs.some((one) => one === value))}
      />
      {viewed ? (
        <RequestDialog key={viewed} id={viewed} onClose={() => view(null)} onPrefill={(id) => open('create', id)} />
      ) : null}
      <DiscardDialog
        open={wanted !== null}
        onStay={() => setWanted(null)}
        onDiscard={() => {
          discardUnsavedInput();
          setWanted(null);
          if (wanted) go(wanted);
        }}
      />
    </>
  );
}

/** A link with a payment's id opens its request. */
function useRequestOfPayment() {
  const [parameters, setParameters] = useSearchParams();
  const paymentId = parameters.get('payment');
  const { data, isError } = useQuery({
    ...rpc.admin.tokenRequests.ofPayment.queryOptions({ input: { paymentId: paymentId ?? '' } }),
    enabled: paymentId !== null,
  });
  const requestId = paymentId === null ? undefined : isError ? paymentId : data?.requestId;
  useEffect(() => {
    if (!requestId) return;
    setParameters(
      (old) => {
        const next = new URLSearchParams(old);
        next.delete('payment');
        next.set('request', requestId);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [requestId, setParameters]);
}

function Networks() {
  const messages = useText(adminTokenTexts).tokenAdmin;
  const list = useAdminList({
    procedure: rpc.admin.networks.list,
    csv: 'networks',
    sort: 'createdAt',
    filters: { shelf: 'live' },
  });
  return (
    <div className="grid grid-cols-1 gap-4">
      {list.rows ? (
        <p>
          <Badge>{messages.networksCount(list.count)}</Badge>
        </p>
      ) : null}
      <NetworksPanel list={list} />
    </div>
  );
}
