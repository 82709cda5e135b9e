import { ShieldCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { ledgerTexts } from '#app/lib/messages/ledger.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { Report } from '#verify/log.ts';
import { useCandidateNames, useLedger, useMyLeaves } from './ledger.queries.ts';

/** Number of the newest own votes whose receipts one check loads and verifies. */
const NEWEST_VOTES = 5;
/** Number of days of a report that are shown. */
const DAYS = 7;

type Step =
  | { kind: 'idle' }
  /** Requested before the member's own votes were known. */
  | { kind: 'waiting' }
  | { kind: 'running'; done: number; size: number }
  | { kind: 'failed'; error: unknown }
  /** `withoutLine`: how many of the newest own votes have no receipt to check. */
  | { kind: 'done'; report: Report; withoutLine: number };

/** Runs the verifier in this browser and shows its report. */
export function CheckPanel({ signedIn }: { signedIn: boolean | undefined }) {
  const texts = useText(ledgerTexts);
  const text = texts.ledger;
  const { data: state } = useLedger();
  const { data: mine, isPending } = useMyLeaves(signedIn === true);
  const known = signedIn === false || (signedIn === true && !isPending);
  const [step, setStep] = useState<Step>({ kind: 'idle' });
  const run = useEffectEvent(async () => {
    setStep({ kind: 'running', done: 0, size: state?.size ?? 0 });
    try {
      // A vote without a line is counted, not skipped: only its voter can notice that it is missing.
      const newest = (mine ?? []).slice(0, NEWEST_VOTES);
      const votes = newest.filter((vote) => vote.signed);
      const receipts = await Promise.all(votes.map((vote) => client.ledger.receipt({ voteId: vote.id })));
      const { checkLedger } = await import('./check.ts');
      const report = await checkLedger({
        witness: state?.witness?.key ?? null,
        receipts: receipts.map((one) => one.receipt),
        onProgress: (done, size) => setStep({ kind: 'running', done, size }),
      });
      setStep({ kind: 'done', report, withoutLine: newest.length - votes.length });
    } catch (error) {
      setStep({ kind: 'failed', error });
    }
  });
  useEffect(() => {
    if (step.kind === 'waiting' && known) void run();
  }, [step.kind, known]);
  const running = step.kind === 'running' || step.kind === 'waiting';
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="text-xl">{text.check}</h2>
      <p className="mt-2 max-w-[44rem] text-quiet">{text.checkLead}</p>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Button
          variant="primary"
          aria-disabled={running || undefined}
          onClick={() => (running ? undefined : setStep({ kind: 'waiting' }))}
        >
          <ShieldCheck aria-hidden="true" />
          {running ? text.checking : text.checkAction}
        </Button>
        {step.kind === 'running' ? (
          <span className="figures text-sm text-quiet">{text.progress(step.done, step.size)}</span>
        ) : null}
      </div>
      <div role="status" className="mt-4">
        {step.kind === 'failed' ? (
          <p className="text-coral-text wrap-anywhere">
            {text.checkFailed}.{' '}
            {codeOf(step.error) === 'UNEXPECTED' ? (
              // What the verifier says of a file, which is in English.
              <span lang="en">{step.error instanceof Error ? step.error.message : String(step.error)}</span>
            ) : (
              failureText(step.error, texts)
            )}
          </p>
        ) : null}
        {step.kind === 'done' ? <Found report={step.report} withoutLine={step.withoutLine} /> : null}
      </div>
    </Card>
  );
}

/** What the verifier found. Winners are named where their names are known, and have their ids otherwise. */
export function Found({ report, withoutLine }: { report: Report; withoutLine: number }) {
  const text = useText(ledgerTexts).ledger;
  const found = report.receipts.length;
  // A result without rows has no winner.
  const winners = report.rounds.flatMap(({ round, rows: [first] }) => (first ? [{ round, ...first }] : []));
  const names = useCandidateNames(winners.map(({ round }) => round));
  if (report.problems.length > 0)
    return (
      <>
        <p className="font-bold text-coral-text">{text.notInOrder}</p>
        <p className="mt-1">{text.notInOrderText}</p>
        <ul className="mt-3 grid gap-1 text-sm" lang="en">
          {report.problems.map(({ code, detail }) => (
            <li key={`${code} ${detail}`} className="wrap-anywhere">
              {code}: {detail}
            </li>
          ))}
        </ul>
      </>
    );
  const days = report.days.slice(-DAYS).toReversed();
  return (
    <>
      <p className="font-bold">{text.inOrder}</p>
      <p className="mt-1">{text.inOrderText(report.size, report.votes.counted, report.consistentWith)}</p>
      {found > 0 ? <p className="mt-1">{text.receiptsFound(found, found + withoutLine)}</p> : null}
      {withoutLine > 0 ? <p className="mt-1 font-bold">{text.withoutLine(withoutLine)}</p> : null}
      {winners.length > 0 ? (
        <>
          <h3 className="mt-4 text-base font-bold">{text.winners}</h3>
          <ul className="mt-1 text-sm">
            {winners.map(({ round, candidate, votes }) => (
              <li key={round} className="wrap-anywhere">
                {text.winner(round, names.get(candidate) ?? candidate, votes)}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {report.unstatedRounds.length > 0 ? <p className="mt-4 text-sm">{text.unstated(report.unstatedRounds)}</p> : null}
      {days.length > 0 ? (
        <>
          <h3 className="mt-4 text-base font-bold">{text.days}</h3>
          <ul className="mt-1 flex flex-wrap gap-x-5 text-sm">
            {days.map(({ day, rows }) => (
              <li key={day} className="figures">
                {day}: {rows.reduce((sum, row) => sum + row.votes, 0)}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  );
}
