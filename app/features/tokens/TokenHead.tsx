import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { count, dollars, integer, marketCap, price } from '#app/lib/format/format.ts';
import { VerifiedMark } from '#app/lib/format/VerifiedMark.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { useNow } from '#app/lib/live/clock.ts';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { lazyInView } from '#app/lib/page/lazy-in-view.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Progress } from '#app/ui/charts/Progress.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Masthead } from '#app/ui/layout/Masthead.tsx';
import { Stat, Stats } from '#app/ui/layout/Stat.tsx';
import type { Token } from '#contract/domains/tokens.ts';
import { isLaunchOver } from '#contract/text/launch-time.ts';
import { tokenColours } from '#contract/token-colours.ts';
import { FigureSource } from './FigureSource.tsx';

/** The list of a kind of token. */
const LIST = { project: '/', candidate: '/vote', next: '/next' } as const;

/** Only NEXT projects have it. */
const LaunchPart = lazyInView(async () => ({ default: (await import('./LaunchPart.tsx')).LaunchPart }));

/** Name, image and figures of a token. */
export function TokenHead({ token, actions }: { token: Token; actions: ReactNode }) {
  const text = useText(tokenTexts);
  const locale = useLocale();
  return (
    <div className="pb-3 md:pb-6">
      <BackButton kind={token.kind} />
      <Masthead
        className="mt-4"
        image={<TokenImage id={token.id} symbol={token.tokenSymbol} src={token.imageUrl} alt="" size="fill" eager />}
        title={
          <>
            {token.tokenName} <VerifiedMark proofs={token.verified} />
          </>
        }
        symbol={`$${token.tokenSymbol}`}
        badges={
          <>
            <KindBadge token={token} />
            {token.launch?.isVotingWinner ? <Badge tone="lead">{text.token.winner}</Badge> : null}
          </>
        }
        lead={<TextInItsLanguage>{token.description || text.shared.defaultDescription}</TextInItsLanguage>}
        meta={
          token.contractAddress ? (
            <span className="flex items-center gap-2 text-sm text-quiet">
              {text.token.contract}
              <Copyable value={token.contractAddress} label={text.token.copyAddress} copiedLabel={text.token.copied} />
            </span>
          ) : null
        }
        actions={actions}
        tint={tokenColours(token.id).ground}
        stats={<Figures token={token} />}
      />
      {token.progressPercentage === null ? null : (
        <Progress
          className="mt-6"
          value={token.progressPercentage}
          label={text.token.progress}
          labelLang="en"
          showValue={locale}
        />
      )}
      {token.launch ? <LaunchPart launch={token.launch} serverTime={token.serverTime} /> : null}
    </div>
  );
}

/** What kind of record it is; a launch is upcoming until its time has passed. */
function KindBadge({ token }: { token: Token }) {
  const { token: text } = useText(tokenTexts);
  const now = useNow(token.serverTime);
  const upcoming = token.launch && !isLaunchOver(token.launch, now);
  return <Badge tone="sky">{upcoming ? text.upcoming : text.kind[token.kind]}</Badge>;
}

/** Sourced figures come first; unknown ones follow in one muted line with the specified placeholders. */
function Figures({ token }: { token: Token }) {
  const text = useText(tokenTexts).token;
  const locale = useLocale();
  const figures = [
    { key: 'price', label: text.price, value: price(token.price, locale) },
    { key: 'marketCap', label: text.marketCap, value: marketCap(token.marketCap, locale) },
    { key: 'volume24h', label: text.volume, value: dollars(token.volume24h, locale) },
    { key: 'holders', label: text.holders, value: count(token.holdersCount, text.none, locale) },
    { key: 'maxSupply', label: text.maxSupply, value: count(token.maxSupply, text.none, locale) },
  ] as const;
  const voted = token.kind === 'candidate' || token.totalVotes > 0;
  const sourced = figures.filter(({ key }) => token.sources?.[key]);
  const unknown = figures.filter(({ key }) => !token.sources?.[key]);
  return (
    <>
      {voted || sourced.length > 0 ? (
        <Stats>
          {voted ? (
            <Stat
              label={<English>{text.totalVotes}</English>}
              value={integer(token.totalVotes, locale)}
              hint={token.launch?.wonRound ? text.wonRound(token.launch.wonRound) : undefined}
            />
          ) : null}
          {sourced.map(({ key, label, value }) => (
            <Stat
              key={key}
              label={<English>{label}</English>}
              value={value}
              hint={<FigureSource from={token.sources?.[key] ?? null} serverTime={token.serverTime} />}
            />
          ))}
        </Stats>
      ) : null}
      {unknown.length > 0 ? (
        <div className="mt-3 flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm text-quiet">
          <p aria-hidden="true">{text.noData}:</p>
          <dl className="flex flex-wrap gap-x-5 gap-y-1">
            {unknown.map(({ key, label, value }) => (
              <div key={key} className="flex gap-1.5">
                <dt>
                  <English>{label}</English>
                </dt>
                <dd className="figures">{value}</dd>
                <dd className="visually-hidden">{text.noData}</dd>
              </div>
            ))}
          </dl>
        </div>
      ) : null}
    </>
  );
}

/** Navigates back; after a direct visit to the list that the token belongs to. */
function BackButton({ kind }: { kind: Token['kind'] }) {
  const text = useText(tokenTexts);
  const href = useHref();
  const navigate = useNavigate();
  return (
    <Button
      variant="ghost"
      size="sm"
      className="-ml-3.5"
      onClick={() => {
        // React Router numbers the history entries of this visit.
        const depth = (window.history.state as { idx?: number } | null)?.idx ?? 0;
        if (depth > 0) void navigate(-1);
        else void navigate(href(LIST[kind]));
      }}
    >
      <ArrowLeft aria-hidden="true" />
      {text.token.back}
    </Button>
  );
}
