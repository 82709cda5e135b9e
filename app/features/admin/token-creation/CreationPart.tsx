import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, CircleDashed, ExternalLink, LoaderCircle, OctagonAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminCreationTexts } from '#app/lib/messages/admin/token-creation/creation-part.ts';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { TokenCreation } from '#contract/admin/token-creation.ts';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { IfAllowed } from '../kit/rights.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { amountOf, groupedDigits } from './money.ts';
import { ReadingsPart } from './ReadingsPart.tsx';
import { ShowcasePart } from './ShowcasePart.tsx';
import { SourcePart } from './SourcePart.tsx';

/** State as a label: the four values of the indicator. */
export type Indicator = 'idle' | 'processing' | 'completed' | 'error';
export const INDICATOR_TONES: Record<Indicator, Tone> = {
  idle: 'neutral',
  processing: 'sky',
  completed: 'mint',
  error: 'coral',
};
export const indicatorOf = (creation: TokenCreation | null | undefined): Indicator => {
  if (!creation) return 'idle';
  if (creation.state === 'completed') return 'completed';
  return creation.state === 'queued' || creation.state === 'working' ? 'processing' : 'error';
};
/** Its token exists: no other is created for the same request. */
export const isMade = (creation: TokenCreation | null | undefined): boolean => indicatorOf(creation) === 'completed';
/** It progresses automatically, so it is polled often. */
export const isMoving = (creation: TokenCreation | null | undefined): boolean => indicatorOf(creation) === 'processing';

const STEPS = ['checking', 'signed', 'sent', 'confirming', 'reading'] as const;

/** Shows a notice when a watched creation ends. */
export function useCreationNews(creation: TokenCreation | null | undefined): void {
  const text = useText(adminTokenTexts).tokenAdmin.create;
  const before = useRef(creation?.state);
  useEffect(() => {
    const moved = before.current === 'queued' || before.current === 'working';
    if (creation && moved && creation.state === 'completed')
      notify.success({
        title: text.done,
        text: text.doneText(`${creation.tokenName} (${creation.tokenSymbol})`, text.networks[creation.network]),
      });
    if (creation && moved && indicatorOf(creation) === 'error')
      notify.error({
        title: text.failed,
        text: creation.problem ? text.problems[creation.problem] : text.unknownError,
      });
    before.current = creation?.state;
  }, [creation, text]);
}

/** Progress, obstacle and result of the token of a request. */
export function CreationPart({ creation }: { creation: TokenCreation }) {
  const text = useText(adminTokenTexts, adminCreationTexts);
  const messages = text.creation.part;
  const create = text.tokenAdmin.create;
  const locale = useLocale();
  const state = indicatorOf(creation);
  return (
    <section className="admin-sub grid grid-cols-1 gap-4" aria-label={messages.heading}>
      <header className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 className="text-[1.0625rem]">{messages.heading}</h3>
          <p className="text-sm text-quiet [overflow-wrap:anywhere]">
            {messages.of(`${creation.tokenName} (${creation.tokenSymbol})`, create.networks[creation.network])} ·{' '}
            {messages.ordered(creation.orderedBy ?? messages.someone, dateTime(creation.orderedAt, locale))}
          </p>
        </div>
        <Badge tone={INDICATOR_TONES[state]}>{create.states[state]}</Badge>
      </header>
      {state === 'completed' ? <Result creation={creation} /> : <CreationProgress creation={creation} />}
      {state === 'completed' ? <ReadingsPart creation={creation} /> : null}
      {creation.source ? <SourcePart requestId={creation.requestId} source={creation.source} /> : null}
      {state === 'completed' ? (
        <IfAllowed call="showcase.add">
          <ShowcasePart requestId={creation.requestId} />
        </IfAllowed>
      ) : null}
      <Signed creation={creation} />
    </section>
  );
}

/** The stages, with the current one and why it does not advance. */
function CreationProgress({ creation }: { creation: TokenCreation }) {
  const text = useText(adminTokenTexts, adminCreationTexts);
  const messages = text.creation.part;
  const create = text.tokenAdmin.create;
  const locale = useLocale();
  const stopped = indicatorOf(creation) === 'error';
  // A signed creation has passed the checks, whatever stopped it afterwards.
  const reached = STEPS.indexOf(creation.stage as (typeof STEPS)[number]);
  const at = reached >= 0 ? reached : creation.attempts.length > 0 ? STEPS.indexOf('confirming') : 0;
  return (
    <>
      <ol className="grid gap-2" aria-live="polite">
        {STEPS.map((step, index) => {
          const kind =
            index < at ? 'done' : index > at || creation.stage === 'queued' ? 'later' : stopped ? 'stopped' : 'now';
          const Icon = { done: Check, later: CircleDashed, stopped: OctagonAlert, now: LoaderCircle }[kind];
          const tone = {
            done: 'text-mint-text',
            later: 'text-quiet',
            stopped: 'text-coral-text',
            now: 'text-sky-text',
          };
          return (
            <li key={step} className="flex items-center gap-2.5" aria-current={kind === 'now' ? 'step' : undefined}>
              <Icon
                aria-hidden="true"
                className={`size-4.5 flex-none ${tone[kind]} ${kind === 'now' ? 'motion-safe:animate-spin' : ''}`}
              />
              <span className={kind === 'later' ? 'text-quiet' : undefined}>{messages.steps[step]}</span>
              <span className="visually-hidden">({messages[kind]})</span>
            </li>
          );
        })}
      </ol>
      {stopped ? null : <p className="text-sm text-quiet">{create.stages[creation.stage]}</p>}
      {creation.problem ? (
        <div className="admin-callout" data-tone={stopped ? 'coral' : 'lead'} role={stopped ? 'alert' : 'status'}>
          {stopped ? <p className="font-semibold">{create.problem}</p> : null}
          <p className="text-sm">{create.problems[creation.problem]}</p>
          {creation.nextAttemptAt && !stopped ? (
            <p className="text-sm text-quiet">{messages.nextAttempt(dateTime(creation.nextAttemptAt, locale))}</p>
          ) : null}
          {creation.correctable && stopped ? <p className="text-sm">{messages.correct}</p> : null}
          {creation.detail ? (
            <details className="admin-more">
              <summary>{messages.detail}</summary>
              <p className="admin-code" lang="en">
                {creation.detail}
              </p>
            </details>
          ) : null}
        </div>
      ) : null}
      {creation.retryable ? (
        <IfAllowed call="tokenRequests.retryCreation">
          <Retry creation={creation} />
        </IfAllowed>
      ) : null}
    </>
  );
}

function Retry({ creation }: { creation: TokenCreation }) {
  const messages = useText(adminCreationTexts).creation.part;
  const failure = useAdminFailure('tokens');
  const withProof = useStepUp();
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () => withProof(() => client.admin.tokenRequests.retryCreation({ requestId: creation.requestId })),
    onSuccess: () => notify.success({ title: messages.retried }),
    onError: (error) => {
      if (!(error instanceof Cancelled)) notify.failed(error, { title: messages.retryFailed, text: failure(error) });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.admin.tokenRequests.key() }),
  });
  return (
    <Button
      className="justify-self-start"
      busy={retry.isPending}
      busyLabel={messages.retryBusy}
      onClick={() => retry.mutate()}
    >
      {messages.retry}
    </Button>
  );
}

/** The token as read from the chain. */
function Result({ creation }: { creation: TokenCreation }) {
  const messages = useText(adminCreationTexts).creation.part;
  const locale = useLocale();
  const { facts } = creation;
  return (
    <>
      {creation.simulation ? (
        <p className="admin-callout text-sm" data-tone="lead">
          {messages.simulation}
        </p>
      ) : null}
      <dl className="admin-facts">
        {creation.address ? (
          <Named name={messages.address} wide>
            <Copyable
              value={creation.address}
              label={messages.copyAddress}
              copiedLabel={messages.copied}
              head={14}
              tail={10}
            />
            <Outside href={creation.addressUrl} />
          </Named>
        ) : null}
        {creation.transaction ? (
          <Named name={messages.transaction} wide>
            <Copyable
              value={creation.transaction}
              label={messages.copyTransaction}
              copiedLabel={messages.copied}
              head={14}
              tail={10}
            />
            <Outside href={creation.transactionUrl} />
          </Named>
        ) : null}
      </dl>
      {facts ? (
        <div>
          <h4 className="mb-2 text-sm font-semibold">{messages.facts}</h4>
          <dl className="admin-facts">
            <Named name={messages.supply}>{amountOf(facts.supply, facts.decimals, locale)}</Named>
            <Named name={messages.ownerReceived}>{amountOf(facts.ownerReceived, facts.decimals, locale)}</Named>
            <Named name={messages.decimals}>{facts.decimals}</Named>
            <Named name={messages.mint}>{facts.mintAuthority ?? messages.nobody}</Named>
            <Named name={messages.freeze}>{facts.freezeAuthority ?? messages.nobody}</Named>
            <Named name={messages.metadata}>{facts.metadataLocked ? messages.locked : messages.changeable}</Named>
            {facts.at ? <Named name={messages.at}>{dateTime(facts.at, locale)}</Named> : null}
            {facts.block ? <Named name={messages.block}>{groupedDigits(facts.block, locale)}</Named> : null}
          </dl>
        </div>
      ) : null}
    </>
  );
}

/** Every signed transaction of it: an operator compares them with an explorer. */
function Signed({ creation }: { creation: TokenCreation }) {
  const messages = useText(adminCreationTexts).creation.part;
  const locale = useLocale();
  return (
    <details className="admin-more text-sm">
      <summary>{messages.attempts(creation.attempts.length)}</summary>
      <ul className="grid gap-2">
        {creation.attempts.map((attempt) => (
          <li key={attempt.number} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-quiet">{dateTime(attempt.signedAt, locale)}</span>
            <Copyable value={attempt.transaction} label={messages.copyTransaction} copiedLabel={messages.copied} />
            <Badge tone={attempt.outcome === 'landed' ? 'mint' : 'neutral'}>
              {messages.outcome[attempt.outcome ?? 'open']}
            </Badge>
            <Outside href={attempt.transactionUrl} />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-quiet">
        {messages.hash}:{' '}
        <Copyable
          value={creation.snapshotHash}
          label={messages.hash}
          copiedLabel={messages.copied}
          head={10}
          tail={8}
        />
      </p>
    </details>
  );
}

function Outside({ href }: { href: string | null }) {
  const messages = useText(adminCreationTexts).creation.part;
  if (!href) return null;
  return (
    <a
      className="link ml-2 inline-flex min-h-6 items-center gap-1 text-sm"
      href={href}
      target="_blank"
      rel="noreferrer"
    >
      {messages.explorer}
      <ExternalLink aria-hidden="true" className="size-4" />
    </a>
  );
}

const Named = ({ name, wide, children }: { name: string; wide?: boolean; children: React.ReactNode }) => (
  <div className={wide ? 'admin-wide' : undefined}>
    <dt>{name}</dt>
    <dd className="figures">{children}</dd>
  </div>
);
