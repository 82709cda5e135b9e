import { integer } from '#app/lib/format/format.ts';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { ledgerTexts } from '#app/lib/messages/ledger.ts';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { LedgerState } from '#contract/domains/ledger.ts';
import { useLedger } from './ledger.queries.ts';

/** The newest signed checkpoint and its signers. */
export function CheckpointCards() {
  const text = useText(ledgerTexts).ledger;
  const { data, isError, refetch } = useLedger();
  if (!data && isError)
    return <FailedState title={text.error} retryLabel={text.retry} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonGroup label={text.loading}>{<div className="card min-h-60" />}</SkeletonGroup>;
  const halted = data.halted ? (
    <div role="alert" className="card mb-5 border-coral p-5 sm:p-6">
      <p className="font-bold text-coral-text">{text.halted}</p>
      <p className="mt-1 max-w-[44rem]">{text.haltedWhy[data.halted]}</p>
    </div>
  ) : null;
  if (!data.checkpoint)
    return halted ?? <EmptyState scene={<SceneEmptyStage />} title={text.none} text={text.noneHint} />;
  return (
    <>
      {halted}
      <div className="grid gap-5 md:grid-cols-2">
        <Signed state={data} />
        <Witness witness={data.witness} />
      </div>
    </>
  );
}

function Signed({ state }: { state: LedgerState }) {
  const text = useText(ledgerTexts).ledger;
  const locale = useLocale();
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="text-xl">{text.checkpoint}</h2>
      <dl className="mt-4 grid gap-3 text-sm">
        <div className="flex items-center justify-between gap-4">
          <dt className="text-quiet">{text.size}</dt>
          <dd className="figures text-lg">{integer(state.size, locale)}</dd>
        </div>
        <div className="flex items-center justify-between gap-4">
          <dt className="text-quiet">{text.root}</dt>
          <dd>
            <Copyable value={state.root} label={text.copyRoot} copiedLabel={text.copied} head={10} />
          </dd>
        </div>
        {state.key ? (
          <div className="flex items-center justify-between gap-4">
            <dt className="text-quiet">{text.key}</dt>
            <dd>
              <Copyable value={state.key} label={text.copyKey} copiedLabel={text.copied} head={10} />
            </dd>
          </div>
        ) : null}
        {state.publishedAt ? (
          <div className="flex items-center justify-between gap-4">
            <dt className="text-quiet">{text.signedAt}</dt>
            <dd>
              <LocalTime iso={state.publishedAt} />
            </dd>
          </div>
        ) : null}
      </dl>
      <p className="mt-4 text-sm text-quiet">{text.waiting(state.waiting)}</p>
      <p className="mt-3">
        <a href="/ledger/checkpoint" className="link inline-flex min-h-10 items-center">
          /ledger/checkpoint
        </a>
      </p>
    </Card>
  );
}

function Witness({ witness }: { witness: LedgerState['witness'] }) {
  const text = useText(ledgerTexts).ledger;
  return (
    <Card className="p-5 sm:p-6">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="text-xl">{text.witness}</h2>
        <Badge tone={witness?.recent ? 'mint' : 'coral'}>
          {witness?.recent ? text.witnessRecent : text.witnessNone}
        </Badge>
      </div>
      <p className="mt-3 text-sm text-quiet">{text.witnessLead}</p>
      {witness === null ? (
        <p className="mt-4 text-sm">{text.witnessUnset}</p>
      ) : witness.signedAt && witness.size !== null ? (
        <p className="mt-4 text-sm wrap-anywhere">
          {text.witnessSaid(witness.name, witness.size)} · <LocalTime iso={witness.signedAt} />
        </p>
      ) : (
        <p className="mt-4 text-sm wrap-anywhere">{text.witnessNever(witness.name)}</p>
      )}
    </Card>
  );
}

/** Links to the newest signed results. */
export function SignedResults() {
  const text = useText(ledgerTexts).ledger;
  const { data } = useLedger();
  if (!data || data.results.length === 0) return <p className="text-quiet">{text.resultsEmpty}</p>;
  return (
    <ul className="flex flex-wrap gap-x-5">
      {data.results.map((of) => (
        <li key={of}>
          <a href={`/ledger/results/${of}`} className="link inline-flex min-h-10 items-center">
            {text.resultOf(of)}
          </a>
        </li>
      ))}
    </ul>
  );
}
