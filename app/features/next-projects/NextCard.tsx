import { Crown } from 'lucide-react';
import type { ReactNode } from 'react';
import { LaunchCountdown } from '#app/lib/format/LaunchCountdown.tsx';
import { MarketCapStat } from '#app/lib/format/MarketCapStat.tsx';
import { VerifiedMark } from '#app/lib/format/VerifiedMark.tsx';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { TokenTicket } from '#app/ui/layout/TokenTicket.tsx';
import type { NextProject } from '#contract/domains/next-projects.ts';

interface NextCardProps {
  project: NextProject;
  /** The server's clock when the list was read. */
  serverTime: string;
  eager?: boolean | undefined;
  /** An action in the upper right corner. */
  corner?: ReactNode;
}

/** An upcoming launch: the card links to its page, the stub has its countdown. */
export function NextCard({ project, serverTime, eager, corner }: NextCardProps) {
  const text = useText();
  const href = useHref();
  const locale = useLocale();
  const end = project.countdownEnd ?? project.launchDate;
  return (
    <TokenTicket
      to={href(`/token/${project.id}`)}
      tone={project.isVotingWinner ? 'lead' : undefined}
      corner={corner}
      image={
        <TokenImage
          id={project.id}
          symbol={project.tokenSymbol}
          src={project.imageUrl}
          alt=""
          size="fill"
          eager={eager}
        />
      }
      title={project.tokenName}
      mark={<VerifiedMark proofs={project.verified} />}
      symbol={`$${project.tokenSymbol}`}
      badge={
        project.isVotingWinner ? (
          <Badge tone="lead">
            <Crown aria-hidden="true" />
            {text.shared.winner}
          </Badge>
        ) : (
          <Badge tone={project.status === 'launched' ? 'sky' : 'mint'}>{text.home.status[project.status]}</Badge>
        )
      }
      description={<TextInItsLanguage>{project.description || text.shared.defaultDescription}</TextInItsLanguage>}
      stats={<MarketCapStat token={project} />}
      progress={{
        value: Math.min(100, project.progressPercentage),
        label: text.home.progress,
        labelLang: 'en',
        showValue: locale,
      }}
      stub={
        <>
          <span className="block text-xs">{text.shared.launch}</span>
          {/* A long date takes two lines: a short one reserves the same height, so that the stubs are equally high. */}
          <span className="block font-semibold whitespace-normal text-text sm:min-h-[2lh]">
            {end ? <LocalTime iso={end} /> : text.countdown.noDate}
          </span>
        </>
      }
      stubEnd={
        end || project.status === 'launched' ? (
          <LaunchCountdown
            countdownEnd={project.countdownEnd}
            launchDate={project.launchDate}
            launched={project.status === 'launched'}
            proof={project.proof}
            serverTime={serverTime}
          />
        ) : null
      }
    />
  );
}
