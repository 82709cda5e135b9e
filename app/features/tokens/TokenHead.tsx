import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { count, dollars, marketCap, price, whole } from '#app/lib/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n.tsx';
import { LaunchCountdown } from '#app/lib/LaunchCountdown.tsx';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { LocalTime } from '#app/lib/When.tsx';
import { Badge } from '#app/ui/Badge.tsx';
import { Button } from '#app/ui/Button.tsx';
import { Copyable } from '#app/ui/Copyable.tsx';
import { English } from '#app/ui/English.tsx';
import { Masthead } from '#app/ui/Page.tsx';
import { Progress } from '#app/ui/Progress.tsx';
import { Stat, Stats } from '#app/ui/Stat.tsx';
import { TokenImage } from '#app/ui/TokenImage.tsx';
import type { Token } from '#contract/tokens.ts';
import { Source } from './Source.tsx';

/** Name, picture and figures of a token. */
export function TokenHead({ token, actions }: { token: Token; actions: ReactNode }) {
  const text = useText(tokenTexts);
  const locale = useLocale();
  const launchAt = token.launch && (token.launch.launchDate ?? token.launch.countdownEnd);
  const from = (figure: keyof Token['sources']) => (
    <Source from={token.sources?.[figure] ?? null} serverTime={token.serverTime} />
  );
  return (
    <div className="pb-3 md:pb-6">
      <BackButton kind={token.kind} />
      <Masthead
        className="mt-4"
        image={<TokenImage id={token.id} symbol={token.tokenSymbol} src={token.imageUrl} alt="" size="fill" eager />}
        title={token.tokenName}
        symbol={`$${token.tokenSymbol}`}
        badges={
          <>
            <Badge tone="sky">{text.token.kind[token.kind]}</Badge>
            {token.launch?.isVotingWinner ? <Badge tone="lead">{text.token.winner}</Badge> : null}
          </>
        }
        lead={token.description || text.shared.defaultDescription}
        meta={
          token.contractAddress ? (
            <span className="flex items-center gap-2 text-sm text-quiet">
              {text.token.contract}
              <Copyable value={token.contractAddress} label={text.token.copyAddress} copiedLabel={text.token.copied} />
            </span>
          ) : null
        }
        actions={actions}
        stats={
          <Stats>
            <Stat
              label={<English>{text.token.price}</English>}
              value={price(token.price, locale)}
              hint={from('price')}
            />
            <Stat
              label={<English>{text.token.marketCap}</English>}
              value={marketCap(token.marketCap, locale)}
              hint={from('marketCap')}
            />
            <Stat
              label={<English>{text.token.volume}</English>}
              value={dollars(token.volume24h, locale)}
              hint={from('volume24h')}
            />
            <Stat
              label={<English>{text.token.holders}</English>}
              value={count(token.holdersCount, text.token.none, locale)}
              hint={from('holders')}
            />
            <Stat
              label={<English>{text.token.maxSupply}</English>}
              value={count(token.maxSupply, text.token.none, locale)}
              hint={from('maxSupply')}
            />
            {token.kind === 'candidate' || token.totalVotes > 0 ? (
              <Stat
                label={<English>{text.token.totalVotes}</English>}
                value={whole(token.totalVotes, locale)}
                hint={token.launch?.wonRound ? text.token.wonRound(token.launch.wonRound) : undefined}
              />
            ) : null}
          </Stats>
        }
      />
      {token.progressPercentage === null ? null : (
        <Progress
          className="mt-6"
          value={token.progressPercentage}
          label={text.token.progress}
          labelLang="en"
          showValue
        />
      )}
      {token.launch ? (
        <div className="card mt-5 flex flex-wrap items-center justify-between gap-4 p-5">
          <div>
            <h2 className="text-lg">{text.token.launch}</h2>
            <p className="text-quiet">
              {text.token.launchDate}:{' '}
              <span className="whitespace-nowrap">
                {launchAt ? <LocalTime iso={launchAt} /> : text.countdown.noDate}
              </span>
            </p>
          </div>
          <LaunchCountdown
            countdownEnd={token.launch.countdownEnd}
            launchDate={token.launch.launchDate}
            launched={token.launch.status === 'launched'}
            serverTime={token.serverTime}
            size="md"
          />
        </div>
      ) : null}
    </div>
  );
}

/** Back to where the reader came from; after a direct visit to the list that the token belongs to. */
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
        // React Router numbers the entries of this visit.
        const depth = (window.history.state as { idx?: number } | null)?.idx ?? 0;
        if (depth > 0) void navigate(-1);
        else void navigate(href(kind === 'candidate' ? '/vote' : '/'));
      }}
    >
      <ArrowLeft aria-hidden="true" />
      {text.token.back}
    </Button>
  );
}
