import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { useNow } from '#app/lib/live/clock.ts';
import { launchWindowTexts } from '#app/lib/messages/launch-window.ts';
import { Card } from '#app/ui/layout/Card.tsx';
import type { Token } from '#contract/domains/tokens.ts';
import { launchWindowOf } from './launch-window.ts';

interface LaunchWindowViewProps {
  token: Token;
  /** Number of waiting members, and the component that counts this tab. */
  waiting: ReactNode;
}

/** Over the page of a launch: a full-screen countdown in the last hour, then the state of its proof. */
export default function LaunchWindowView({ token, waiting }: LaunchWindowViewProps) {
  const { launchWindow: text } = useText(launchWindowTexts);
  const queries = useQueryClient();
  const now = useNow(token.serverTime);
  const launchWindow = launchWindowOf(token, now);
  const state = launchWindow?.state;
  useEffect(() => {
    // At zero the page is refetched: the launch may have been moved, or marked as launched, meanwhile.
    if (state === 'open') void queries.invalidateQueries({ queryKey: rpc.tokens.find.key() });
  }, [state, queries]);
  if (!launchWindow) return null;
  if (launchWindow.state === 'open') return <Opened token={token} at={launchWindow.at} />;
  const left = Math.ceil((Date.parse(launchWindow.at) - now) / 1_000);
  const pad = (value: number) => String(value).padStart(2, '0');
  return (
    <section
      aria-label={text.eyebrow}
      className="relative overflow-hidden bg-[#11121c] bg-[radial-gradient(#ffb62733_1px,transparent_1.5px)] bg-[size:22px_22px] px-4 py-8 text-center text-[#fff6df]"
    >
      <p className="text-sm font-semibold tracking-wide text-[#ffb627] uppercase">{text.eyebrow}</p>
      <h2 className="mt-1 text-2xl wrap-anywhere sm:text-3xl">{text.heading(token.tokenName)}</h2>
      <p
        role="timer"
        aria-label={text.clock}
        className="figures my-3 text-[clamp(4rem,24vw,15rem)] leading-none font-bold"
      >
        {pad(Math.floor(left / 60))}
        <span aria-hidden="true" className="text-[#ffb627]">
          :
        </span>
        <span className="visually-hidden">{text.minutes} </span>
        {pad(left % 60)}
        <span className="visually-hidden"> {text.seconds}</span>
      </p>
      <p className="text-[#cfcbd8]">
        {text.at} <LocalTime iso={launchWindow.at} />. {text.server}
      </p>
      <div className="mt-3">{waiting}</div>
    </section>
  );
}

/** The record after the announced hour: each line with its source, and missing items too. */
function Opened({ token, at }: { token: Token; at: string }) {
  const { launchWindow: text } = useText(launchWindowTexts);
  const { facts: messages } = text;
  const { creation } = token.facts;
  const line = (name: string, value: ReactNode) => (
    <div className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="text-sm font-semibold text-quiet">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{value}</dd>
    </div>
  );
  return (
    <div className="page pt-6">
      <Card className="border-lead p-5 md:p-6">
        <section aria-labelledby="launch-open">
          <h2 id="launch-open" className="text-2xl">
            {text.open}
          </h2>
          <p className="mt-1 text-quiet">{text.openText}</p>
          <dl className="mt-3 divide-y divide-line">
            {line(
              messages.hour,
              <>
                <LocalTime iso={at} />. {messages.passed}
              </>,
            )}
            {line(messages.team, token.launch?.status === 'launched' ? messages.marked : messages.unmarked)}
            {line(messages.chain, <Chain token={token} at={at} />)}
            {line(
              messages.prices,
              token.pricesSince ? (
                <>
                  {messages.pricesSince} <LocalTime iso={token.pricesSince} />
                </>
              ) : (
                messages.noPrices
              ),
            )}
          </dl>
          {creation?.simulation ? <p className="text-sm text-coral-text">{messages.simulation}</p> : null}
        </section>
      </Card>
    </div>
  );
}

function Chain({ token, at }: { token: Token; at: string }) {
  const { facts: messages } = useText(launchWindowTexts).launchWindow;
  const { creation } = token.facts;
  if (!creation)
    return token.contractAddress ? (
      <>
        <span className="figures text-sm">{token.contractAddress}</span>
        <span className="block text-sm text-quiet">{messages.published}</span>
      </>
    ) : (
      messages.nothing
    );
  return (
    <span className="grid gap-1">
      <span>{messages.made}</span>
      <span className="figures text-sm">{creation.address}</span>
      <span>
        {creation.createdAt < at ? messages.before : messages.after}: <LocalTime iso={creation.createdAt} />
      </span>
      {creation.transactionUrl ? (
        <a href={creation.transactionUrl} target="_blank" rel="noopener noreferrer" className="link justify-self-start">
          {messages.proof}
        </a>
      ) : creation.transaction ? (
        <span className="figures text-sm">
          {messages.transaction} {creation.transaction}
        </span>
      ) : null}
    </span>
  );
}
