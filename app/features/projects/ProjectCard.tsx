import type { ReactNode } from 'react';
import { change, day } from '#app/lib/format/format.ts';
import { MarketCapStat } from '#app/lib/format/MarketCapStat.tsx';
import { VerifiedMark } from '#app/lib/format/VerifiedMark.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { cx } from '#app/ui/cx.ts';
import { fragment } from '#app/ui/fragment.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { TokenTicketContent, TokenTicketFrame } from '#app/ui/layout/TokenTicket.tsx';
import type { Project } from '#contract/domains/projects.ts';

interface ProjectCardContentProps {
  project: Project;
  eager: boolean;
}

/** A project in the grid: the whole card links to its page; the stub shows the price change of the week, or since when it is listed. */
export function ProjectCard({ corner, ...content }: ProjectCardContentProps & { corner?: ReactNode }) {
  return (
    <TokenTicketFrame corner={corner}>
      <ProjectCardContent {...content} />
    </TokenTicketFrame>
  );
}

const ProjectCardContent = fragment(({ project, eager }: ProjectCardContentProps) => {
  const text = useText();
  const href = useHref();
  const locale = useLocale();
  return (
    <TokenTicketContent
      to={href(`/token/${project.tokenSlug || project.id}`)}
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
      slug={project.tokenSlug}
      badge={
        <>
          <Badge tone={project.status === 'published_home' ? 'lead' : 'sky'}>{text.home.status[project.status]}</Badge>
          {project.sold ? <Badge>{project.sold[locale]}</Badge> : null}
        </>
      }
      description={<TextInItsLanguage>{project.description || text.shared.defaultDescription}</TextInItsLanguage>}
      stats={<MarketCapStat token={project} />}
      progress={{
        value: Math.min(100, project.progressPercentage),
        label: text.home.progress,
        labelLang: 'en',
        showValue: locale,
      }}
      {...(project.change7d === null
        ? { stub: text.home.since(day(project.createdAt, locale)) }
        : { stub: text.home.week, stubEnd: <Change share={project.change7d} /> })}
    />
  );
});

/** The sign shows the direction; the colour only repeats it. */
function Change({ share }: { share: number }) {
  const locale = useLocale();
  const tone = share > 0 ? 'text-mint-text' : share < 0 ? 'text-coral-text' : 'text-quiet';
  return <span className={cx('figures font-semibold', tone)}>{change(share, locale)}</span>;
}
