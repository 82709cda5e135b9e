import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { isLost } from '#app/lib/api/lost-answer.ts';
import { verifyAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { day } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { ownershipTexts } from '#app/lib/messages/ownership.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type {
  OwnershipOverview,
  ProofInfo,
  ProofMethod,
  PublishedMethod,
  TokenRecord,
} from '#contract/domains/ownership.ts';
import { useProofFailure } from './failure-text.ts';
import { GiveUp } from './GiveUp.tsx';
import { WalletProof } from './WalletProof.tsx';

/** Methods of proof for a token and their state. For signed-in members. */
export function OwnershipPanel({ record }: { record: TokenRecord }) {
  const text = useText(ownershipTexts);
  const messages = text.ownership;
  const href = useHref();
  const { data, error, refetch } = useQuery(rpc.ownership.mine.queryOptions({ input: record }));
  if (!data) {
    const gone = error && ['NOT_FOUND', 'BAD_REQUEST'].includes(codeOf(error));
    if (error)
      return (
        <EmptyState
          role="alert"
          scene={<SceneNotFound />}
          title={gone ? messages.gone : messages.failed}
          action={gone ? null : <Button onClick={() => void refetch()}>{messages.retry}</Button>}
        />
      );
    return (
      <SkeletonGroup label={messages.loading} className="grid gap-4">
        <Skeleton className="h-40 rounded-card" />
        <Skeleton className="h-40 rounded-card" />
      </SkeletonGroup>
    );
  }
  const toToken = (
    <ButtonLink to={href(`/token/${record.id}${record.kind === 'candidate' ? '/candidate' : ''}`)}>
      {messages.toToken}
    </ButtonLink>
  );
  if (data.may !== 'yes') {
    const unconfirmed = data.may === 'unconfirmed';
    return (
      <EmptyState
        scene={<SceneClosedGate />}
        title={unconfirmed ? messages.unconfirmed : messages.notYours}
        text={unconfirmed ? messages.unconfirmedText : messages.notYoursText}
        action={
          unconfirmed ? (
            <ButtonLink to={href('/account')} variant="primary">
              {messages.toAccount}
            </ButtonLink>
          ) : (
            toToken
          )
        }
      />
    );
  }
  const wallet = openOf(data, 'wallet');
  const ended = data.proofs.filter(({ state }) => state === 'ended');
  return (
    <div className="grid max-w-[52rem] grid-cols-1 gap-5">
      <p className="text-lg font-semibold wrap-anywhere">{`${data.tokenName} ($${data.tokenSymbol})`}</p>
      <p className="text-quiet">{messages.rule}</p>
      {(['dns', 'file'] as const).map((method) => (
        <Published key={method} method={method} record={record} overview={data} />
      ))}
      <ProofMethodPart method="wallet" proof={wallet} about={messages.about.wallet}>
        {data.walletNetwork ? (
          <WalletProof record={record} network={data.walletNetwork} />
        ) : (
          <p className="text-sm text-quiet">{messages.noWallet}</p>
        )}
        {wallet ? <GiveUp record={record} proof={wallet} /> : null}
      </ProofMethodPart>
      {ended.length > 0 ? <Ended proofs={ended} /> : null}
      <div>{toToken}</div>
    </div>
  );
}

const openOf = (overview: OwnershipOverview, method: ProofMethod) =>
  overview.proofs.find((proof) => proof.method === method && proof.state !== 'ended');

interface ProofMethodPartProps {
  method: ProofMethod;
  proof: ProofInfo | undefined;
  about: string;
  children: ReactNode;
}

/** One method with its state. */
function ProofMethodPart({ method, proof, about, children }: ProofMethodPartProps) {
  const messages = useText(ownershipTexts).ownership;
  const locale = useLocale();
  return (
    <Card className="grid grid-cols-1 gap-3 p-5 sm:p-6">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 className="text-xl">{messages.method[method]}</h2>
        {proof ? <Badge tone={proof.state === 'valid' ? 'mint' : 'lead'}>{messages.state[proof.state]}</Badge> : null}
      </div>
      <p className="text-quiet">{about}</p>
      {proof?.state === 'valid' && proof.provenAt && proof.expiresAt ? (
        <p className="text-sm">
          {messages.provenAt(day(proof.provenAt, locale))} · {messages.until(day(proof.expiresAt, locale))}
          {proof.failures > 0 ? (
            <strong className="block text-coral-text">{messages.failing(proof.failures)}</strong>
          ) : null}
        </p>
      ) : null}
      {children}
    </Card>
  );
}

function Published({
  method,
  record,
  overview,
}: {
  method: PublishedMethod;
  record: TokenRecord;
  overview: OwnershipOverview;
}) {
  const messages = useText(ownershipTexts).ownership;
  const failure = useProofFailure();
  const queries = useQueryClient();
  const [refused, setRefused] = useState<{ text: string; lost: boolean } | null>(null);
  const present = async () => openOf(await client.ownership.mine(record), method);
  const refresh = () => queries.invalidateQueries({ queryKey: rpc.ownership.key() });
  const mutation = useMutation({
    mutationFn: (work: () => Promise<string | null>) => work(),
    onMutate: () => setRefused(null),
    onSuccess: (title) => {
      if (title) notify.success({ title });
      return refresh();
    },
    onError: (error) => {
      setRefused({ text: failure(error), lost: isLost(error) });
      return refresh();
    },
  });
  const proof = openOf(overview, method);
  const { host } = overview;
  if (!host)
    return (
      <ProofMethodPart method={method} proof={proof} about={messages.noHost}>
        {proof ? <GiveUp record={record} proof={proof} /> : null}
      </ProofMethodPart>
    );
  return (
    <ProofMethodPart method={method} proof={proof} about={messages.about[method](proof?.subject ?? host)}>
      {proof ? (
        <>
          <dl className="grid gap-3 text-sm">
            <Line label={method === 'dns' ? messages.nameLabel : messages.fileLabel} value={proof.place ?? ''} />
            <Line label={messages.contentLabel} value={proof.content ?? ''} />
          </dl>
          <p className="text-sm text-quiet">{method === 'dns' ? messages.dnsHint : messages.fileHint}</p>
          {refused ? (
            <p role="alert" className="text-coral-text">
              {refused.lost ? null : <strong>{messages.notDone}. </strong>}
              {refused.text}
            </p>
          ) : null}
          <div className="flex flex-wrap gap-3">
            <Button
              variant={proof.state === 'valid' ? 'secondary' : 'primary'}
              busy={mutation.isPending}
              busyLabel={messages.checking}
              onClick={() =>
                mutation.mutate(async () => {
                  await verifyAfterLostAnswer<unknown>(
                    () => client.ownership.check({ id: proof.id }),
                    async () => {
                      const now = await present();
                      return now?.state === 'valid' && now.checkedAt !== proof.checkedAt ? now : undefined;
                    },
                  );
                  return proof.state === 'valid' ? messages.renewed : messages.done;
                })
              }
            >
              {proof.state === 'valid' ? messages.renew : messages.check}
            </Button>
            <GiveUp record={record} proof={proof} busy={mutation.isPending} />
          </div>
        </>
      ) : (
        <>
          {refused ? (
            <p role="alert" className="text-coral-text">
              {refused.text}
            </p>
          ) : null}
          <Button
            className="justify-self-start"
            busy={mutation.isPending}
            busyLabel={messages.loading}
            onClick={() =>
              mutation.mutate(async () => {
                await verifyAfterLostAnswer<unknown>(() => client.ownership.start({ ...record, method }), present);
                return null;
              })
            }
          >
            {messages.start}
          </Button>
        </>
      )}
    </ProofMethodPart>
  );
}

function Line({ label, value }: { label: string; value: string }) {
  const messages = useText(ownershipTexts).ownership;
  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      notify.success({ title: messages.copied });
    } catch {
      // Denied, or missing: it exists on https and localhost only.
      notify.error({ title: messages.copyFailed, text: value });
    }
  }
  return (
    <div className="min-w-0">
      <dt className="text-quiet">{label}</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <code className="figures wrap-anywhere">{value}</code>
        <Button size="sm" variant="ghost" aria-label={`${messages.copy}: ${label}`} onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          {messages.copy}
        </Button>
      </dd>
    </div>
  );
}

function Ended({ proofs }: { proofs: readonly ProofInfo[] }) {
  const messages = useText(ownershipTexts).ownership;
  const locale = useLocale();
  return (
    <section>
      <h2 className="text-lg">{messages.before}</h2>
      <ul className="mt-2 grid gap-2 text-sm">
        {proofs.map((proof) => (
          <li key={proof.id}>
            <span className="font-semibold">{messages.method[proof.method]}</span>{' '}
            <span className="figures wrap-anywhere text-quiet">{proof.subject}</span>
            <span className="block text-quiet">
              {proof.endedAt ? `${day(proof.endedAt, locale)}: ` : ''}
              {proof.endReason ? messages.ended[proof.endReason] : ''}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
