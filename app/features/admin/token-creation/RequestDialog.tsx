import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { cents, coins } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { AdminTokenRequest, TimelineEntry } from '#contract/admin/token-requests.ts';
import { isConfusable } from '#contract/fields/token-form.ts';
import { TIMING } from '#contract/limits.ts';
import { useActionText } from '../audit/action-text.ts';
import { useAdminFailure } from '../kit/failures.ts';
import { usePlanName } from '../kit/plan-name.ts';
import { IfAllowed, useRights } from '../kit/rights.tsx';
import { PersonLink } from '../people/PersonLink.tsx';
import { ApprovalPart, missingApproval } from './ApprovalPart.tsx';
import { ClosePart } from './ClosePart.tsx';
import { CreationPart, isMade, isMoving } from './CreationPart.tsx';
import { providerStatusText, usd } from './money.ts';
import { PaymentPart } from './PaymentPart.tsx';
import { ReplaceLink } from './ReplaceLink.tsx';
import { chainsQuery } from './SignerWorkers.tsx';

interface RequestDialogProps {
  id: string;
  onClose: () => void;
  /** Opens the creation form, prefilled with this request. */
  onPrefill: (id: string) => void;
}

export const requestQuery = (id: string) =>
  rpc.admin.tokenRequests.read.queryOptions({
    input: { id },
    // A token in creation changes its stage every few seconds.
    refetchInterval: ({ state }) => (isMoving(state.data?.creation) ? 2_000 : TIMING.dashboardRefresh),
    refetchOnWindowFocus: true,
  });

/** All data of one request: token, contact, payments, history, and whether its token may be created. */
export function RequestDialog({ id, onClose, onPrefill }: RequestDialogProps) {
  const text = useText(adminTokenTexts, adminTexts);
  const messages = text.tokenAdmin.detail;
  const failure = useAdminFailure('tokens');
  const { may } = useRights();
  const query = useQuery(requestQuery(id));
  const request = query.data;
  const missing = query.isError && ['NOT_FOUND', 'BAD_REQUEST'].includes(codeOf(query.error));
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={request ? messages.title(request.tokenName || text.tokenAdmin.requests.unnamed) : messages.loading}
      className="dialog-full"
      actions={
        <>
          <Button onClick={onClose}>{messages.close}</Button>
          {request && may('tokenRequests.createToken') && !isMoving(request.creation) && !isMade(request.creation) ? (
            <Button
              variant={missingApproval(request.approval) ? undefined : 'primary'}
              disabled={request.notDeliverable !== null || request.creatableOn === null}
              onClick={() => onPrefill(id)}
            >
              {messages.prefill}
            </Button>
          ) : null}
        </>
      }
    >
      {request ? (
        <Request request={request} />
      ) : query.isError ? (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{missing ? messages.missing : `${messages.failed}: ${failure(query.error)}`}</p>
          {missing ? null : (
            <Button size="sm" onClick={() => void query.refetch()}>
              {text.admin.list.retry}
            </Button>
          )}
        </div>
      ) : (
        <SkeletonGroup label={messages.loading} className="grid gap-3">
          <Skeleton className="h-16" />
          <Skeleton className="h-40" />
          <Skeleton className="h-40" />
        </SkeletonGroup>
      )}
    </Dialog>
  );
}

/** Links to all records of the buyer: the page of the member, or without an account that of the mailbox. */
export function BuyerPage({ request: { email, member } }: { request: Pick<AdminTokenRequest, 'email' | 'member'> }) {
  const messages = useText(adminTokenTexts).tokenAdmin.detail;
  if (!email) return null;
  return (
    <IfAllowed call="mailboxes.read">
      <PersonLink className="block text-sm" id={member?.id ?? null} mailbox={email}>
        {messages.mails}
      </PersonLink>
    </IfAllowed>
  );
}

/** The account that ordered, as a link to its page for admins who may read it; without an account a text says so. */
export function Buyer({ member }: Pick<AdminTokenRequest, 'member'>) {
  const messages = useText(adminTokenTexts).tokenAdmin.detail;
  if (!member) return messages.guest;
  return <PersonLink id={member.id}>{`${member.name ?? ''} ${member.email}`.trim()}</PersonLink>;
}

function Request({ request }: { request: AdminTokenRequest }) {
  const text = useText(adminTokenTexts).tokenAdmin;
  const messages = text.detail;
  const locale = useLocale();
  const planName = usePlanName();
  return (
    <div className="grid grid-cols-1 gap-6">
      {request.creation ? <CreationPart creation={request.creation} /> : <Deliverable request={request} />}
      <IfAllowed call="tokenRequests.approveToken">
        <ApprovalPart request={request} />
      </IfAllowed>
      <Part title={messages.token}>
        <dl className="admin-facts">
          <Fact name={messages.name}>
            {request.tokenName || text.requests.none}
            <LookAlike text={request.tokenName} />
          </Fact>
          <Fact name={messages.symbol}>
            <span className="figures">{request.tokenSymbol || text.requests.none}</span>
            <LookAlike text={request.tokenSymbol} />
          </Fact>
          <Fact name={messages.network}>{request.networkName ?? (request.network || text.requests.none)}</Fact>
          <Fact name={messages.plan}>{planName(request.plan)}</Fact>
          <Fact name={messages.price}>
            <span className="figures">
              {text.requests.usd(cents(request.priceUsd, locale))}
              {request.priceSol === null ? null : ` · ${text.requests.sol(coins(request.priceSol, locale))}`}
            </span>
          </Fact>
          <Fact name={text.requests.status}>
            {text.status[request.status]} · {text.stages[request.paymentStage]}
          </Fact>
          <MoneyFacts request={request} />
          <Fact name={messages.created}>
            <When iso={request.createdAt} />
          </Fact>
          <Fact name={messages.updated}>
            <When iso={request.updatedAt} />
          </Fact>
          {request.deliverBy ? (
            <Fact name={messages.deliverBy}>
              <When iso={request.deliverBy} />
            </Fact>
          ) : null}
          <Fact name={messages.description} wide>
            <TextInItsLanguage>{request.data.description || text.requests.none}</TextInItsLanguage>
          </Fact>
        </dl>
        <ImagePreview address={request.data.imageUrl} />
      </Part>
      <Part title={messages.contact}>
        <dl className="admin-facts">
          <Fact name={messages.wallet} wide>
            {request.ownerWallet ? (
              <Copyable
                value={request.ownerWallet}
                label={text.requests.copyWallet}
                copiedLabel={text.requests.copied}
                head={20}
                tail={20}
              />
            ) : (
              text.requests.none
            )}
            {request.ownerWallet ? (
              <span
                className={request.wallet === 'invalid' ? 'block text-sm text-coral-text' : 'block text-sm text-quiet'}
              >
                {messages.walletCheck[request.wallet]}
              </span>
            ) : null}
          </Fact>
          <Fact name={messages.email}>
            {request.email ? (
              <a className="underline" href={`mailto:${request.email}`}>
                {request.email}
              </a>
            ) : (
              text.requests.none
            )}
            <BuyerPage request={request} />
          </Fact>
          <Fact name={messages.telegram}>{request.telegram || text.requests.none}</Fact>
          <Fact name={messages.member}>
            <Buyer member={request.member} />
          </Fact>
          <Fact name={messages.orderPage}>
            <a className="underline" href={request.orderPath} target="_blank" rel="noreferrer">
              {messages.openOrder}
            </a>
            <span className="block text-sm text-quiet">{messages.orderHint}</span>
            <IfAllowed call="tokenRequests.replaceLink">
              <ReplaceLink id={request.id} name={request.data.tokenName || request.id} />
            </IfAllowed>
          </Fact>
          <Fact name={messages.id}>
            <Copyable value={request.id} label={messages.copyId} copiedLabel={text.requests.copied} head={8} tail={8} />
          </Fact>
        </dl>
        <FormRest request={request} />
      </Part>
      <Part title={messages.payments}>
        {request.payments.length === 0 ? <p className="text-quiet">{messages.noPayments}</p> : null}
        {request.payments.map((payment) => (
          <PaymentPart key={payment.id} payment={payment} />
        ))}
      </Part>
      <IfAllowed call="tokenRequests.close">
        <ClosePart request={request} />
      </IfAllowed>
      <Part title={messages.timeline}>
        <TimelineOf entries={request.timeline} />
      </Part>
    </div>
  );
}

/** Amounts of the current order: ordered, received, missing, returned, and who accepted a part as enough. */
function MoneyFacts({ request }: { request: AdminTokenRequest }) {
  const text = useText(adminTokenTexts).tokenAdmin;
  const locale = useLocale();
  const { orderedUsd, receivedUsd, missingUsd, returned, acceptedBy, acceptedAt } = request;
  if (orderedUsd === null || receivedUsd === null || missingUsd === null) return null;
  const figure = (amount: number) => <span className="figures">{usd(amount, locale)}</span>;
  return (
    <>
      <Fact name={text.moneyOf.ordered}>{figure(orderedUsd)}</Fact>
      <Fact name={text.moneyOf.received}>{figure(returned?.receivedUsd ?? receivedUsd)}</Fact>
      {returned ? (
        <>
          <Fact name={text.moneyOf.returned}>{figure(returned.returnedUsd)}</Fact>
          <Fact name={text.moneyOf.remaining}>{figure(returned.remainingUsd)}</Fact>
        </>
      ) : null}
      <Fact name={text.moneyOf.missing}>{figure(missingUsd)}</Fact>
      {acceptedAt ? (
        <Fact name={text.moneyOf.accepted}>
          {acceptedBy ?? text.detail.someone} · <When iso={acceptedAt} />
        </Fact>
      ) : null}
    </>
  );
}

/** Whether the token may be created, and if not, why. */
export function Deliverable({ request }: { request: AdminTokenRequest }) {
  const { detail: messages, create } = useText(adminTokenTexts).tokenAdmin;
  const { may: allowed } = useRights();
  const chains = useQuery({
    ...chainsQuery(),
    enabled: request.creatableOn !== null && allowed('tokenRequests.chains'),
  });
  const obstacle = chains.data?.find(({ network }) => network === request.creatableOn)?.why;
  const reasons = [
    ...(request.notDeliverable ? [messages.why[request.notDeliverable]] : []),
    ...(request.creatableOn || !request.network ? [] : [messages.why.network(request.networkName ?? request.network)]),
    ...(obstacle ? [create.chainWhy[obstacle]] : []),
    ...(missingApproval(request.approval) ? [messages.why.approval] : []),
  ];
  const may = reasons.length === 0;
  return (
    <div className="admin-callout" data-tone={may ? 'mint' : 'coral'}>
      <p className="font-semibold">{may ? messages.deliverable : messages.notDeliverable}</p>
      {may ? <p className="text-sm">{messages.may}</p> : null}
      {reasons.map((reason) => (
        <p key={reason} className="text-sm">
          {reason}
        </p>
      ))}
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid grid-cols-1 gap-3">
    <h3 className="text-[1.0625rem]">{title}</h3>
    {children}
  </section>
);

const Fact = ({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) => (
  <div className={wide ? 'admin-wide' : undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function LookAlike({ text }: { text: string }) {
  const messages = useText(adminTokenTexts).tokenAdmin.detail;
  return isConfusable(text) ? <Badge tone="coral">{messages.lookAlike}</Badge> : null;
}

/** Only the site's own copies are loaded: an external URL would reveal the viewer to its owner. */
function ImagePreview({ address }: { address: string }) {
  const messages = useText(adminTokenTexts).tokenAdmin.detail;
  const [broken, setBroken] = useState(false);
  if (!address) return null;
  if (!/^\/media\/[\w/.-]+$/.test(address))
    return (
      <p className="text-sm break-all">
        {messages.image}: {address}
      </p>
    );
  if (broken) return null;
  return (
    <img
      src={address}
      alt={messages.image}
      className="size-24 rounded-control object-cover"
      onError={() => setBroken(true)}
    />
  );
}

/** All other fields of the form, as typed. */
function FormRest({ request }: { request: AdminTokenRequest }) {
  const text = useText(adminTokenTexts).tokenAdmin;
  const messages = text.detail;
  const valueText = (value: unknown) => (typeof value === 'boolean' ? (value ? text.yes : text.no) : String(value));
  const filled = (Object.keys(messages.fields) as (keyof typeof messages.fields)[]).filter((name) => {
    const value = request.data[name];
    return value !== '' && value !== null && value !== false;
  });
  if (filled.length === 0) return null;
  return (
    <details className="admin-more">
      <summary>{messages.form}</summary>
      <dl className="admin-facts mt-1">
        {filled.map((name) => (
          <Fact key={name} name={messages.fields[name]}>
            {valueText(request.data[name])}
          </Fact>
        ))}
      </dl>
    </details>
  );
}

function TimelineOf({ entries }: { entries: TimelineEntry[] }) {
  const text = useText(adminTokenTexts).tokenAdmin;
  const messages = text.detail;
  const actionText = useActionText();
  if (entries.length === 0) return <p className="text-quiet">{messages.noTimeline}</p>;
  return (
    <ol className="admin-timeline">
      {entries.map((entry) => (
        <li key={entry.id}>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className="font-semibold">
              {entry.kind === 'act'
                ? actionText.action(entry.what)
                : `${messages.kinds[entry.kind]}: ${providerStatusText(entry.what, text)}`}
            </span>
            {entry.orderId ? <span className="figures text-sm text-quiet">{entry.orderId}</span> : null}
            {entry.by ? (
              <span className="text-sm">
                <PersonLink id={entry.byId}>{entry.by}</PersonLink>
              </span>
            ) : null}
            <When iso={entry.at} className="text-sm text-quiet" />
          </p>
          {Object.keys(entry.details).length > 0 ? (
            <p className="figures text-sm text-quiet break-words">
              {Object.entries(entry.details)
                .map(([name, value]) => `${actionText.field(name)}: ${actionText.value(value, name)}`)
                .join(' · ')}
            </p>
          ) : null}
          {entry.reason ? <p className="text-sm">{messages.reason(entry.reason)}</p> : null}
        </li>
      ))}
    </ol>
  );
}
