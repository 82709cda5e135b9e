import { HydrationBoundary } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { useSignedIn } from '#app/features/auth/auth.queries.ts';
import { CheckPanel } from '#app/features/ledger/CheckPanel.tsx';
import { CheckpointCards, SignedResults } from '#app/features/ledger/Checkpoint.tsx';
import { ledgerQuery } from '#app/features/ledger/ledger.queries.ts';
import { MyReceipts } from '#app/features/ledger/MyReceipts.tsx';
import { TreeDiagram } from '#app/features/ledger/TreeDiagram.tsx';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { ledgerTexts } from '#app/lib/messages/ledger.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead, Section } from '#app/ui/layout/Page.tsx';

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, (queries, api) => queries.fetchQuery(ledgerQuery(api)));
export const clientLoader = nothingToLoad;

const COMMANDS = [
  'node packages/verify/cli.ts <https://…/ledger> --memory seen.json --receipt vote.tlog-proof',
  'python3 packages/verify-py/florka_verify.py <https://…/ledger> --memory seen.json --receipt vote.tlog-proof',
].join('\n');

/** The public vote ledger: explanation, newest checkpoint, the member's receipts, and the verification of all of it. */
export default function LedgerPage() {
  const { state } = useLoaderData<PageData>();
  const text = useText(ledgerTexts).ledger;
  const signedIn = useSignedIn();
  return (
    <HydrationBoundary state={state}>
      <Seo title={text.title} description={text.description} />
      <div className="page pb-12">
        <PageHead title={text.heading} lead={text.lead} />
        <CheckpointCards />
        <Section title={text.how}>
          <div className="grid items-center gap-8 lg:grid-cols-2">
            <ol className="grid gap-5">
              {text.steps.map((step) => (
                <li key={step.title}>
                  <h3 className="text-lg font-bold">{step.title}</h3>
                  <p className="mt-1 text-quiet">{step.text}</p>
                </li>
              ))}
            </ol>
            <TreeDiagram />
          </div>
        </Section>
        <Section title={text.mine}>
          <p className="mb-4 max-w-[44rem] text-quiet">{text.mineLead}</p>
          <MyReceipts signedIn={signedIn} />
        </Section>
        <CheckPanel signedIn={signedIn} />
        <Section title={text.results}>
          <SignedResults />
        </Section>
        <Section title={text.command}>
          <p className="mb-3 text-quiet">{text.commandText}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse. */}
          <pre tabIndex={0} className="card overflow-x-auto p-4 text-sm">
            <code className="figures">{COMMANDS}</code>
          </pre>
        </Section>
        <Section title={text.promises}>
          <div className="grid gap-6 lg:grid-cols-2">
            <Points title={text.promised} points={text.promisedPoints} />
            <Points title={text.notPromised} points={text.notPromisedPoints} />
          </div>
        </Section>
      </div>
    </HydrationBoundary>
  );
}

function Points({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <div>
      <h3 className="text-lg font-bold">{title}</h3>
      <ul className="mt-2 grid list-disc gap-2 pl-5">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </div>
  );
}
