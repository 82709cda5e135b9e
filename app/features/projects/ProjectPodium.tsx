import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { listedMarketCap } from '#app/lib/format/format.ts';
import { VerifiedMark } from '#app/lib/format/VerifiedMark.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import { Podium, Winner } from '#app/ui/layout/Podium.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { Project } from '#contract/domains/projects.ts';
import { podiumQuery } from './projects.queries.ts';

interface ProjectPodiumProps {
  /** Renders the follow button of a project. */
  follow: (project: Project) => ReactNode;
}

/** The Top 3: each place is its project's order_index; a free place stays empty. */
export function ProjectPodium({ follow }: ProjectPodiumProps) {
  const text = useText();
  const { data, isPending } = useQuery(podiumQuery());
  const at = (place: number) => {
    const project = data?.find((candidate) => candidate.orderIndex === place);
    return project && <Place project={project} corner={follow(project)} />;
  };
  return (
    <Section title={text.home.podium}>
      {isPending ? (
        <SkeletonGroup label={text.home.loading}>
          <Skeleton className="h-[34rem] rounded-card md:h-[29rem]" />
        </SkeletonGroup>
      ) : data?.length ? (
        <Podium first={at(1)} second={at(2)} third={at(3)} label={text.home.podium} />
      ) : (
        <EmptyState level={3} scene={<SceneEmptyStage />} title={text.home.podiumEmpty} />
      )}
    </Section>
  );
}

function Place({ project, corner }: { project: Project; corner: ReactNode }) {
  const text = useText();
  const href = useHref();
  const locale = useLocale();
  const to = href(`/token/${project.tokenSlug || project.id}`);
  return (
    <Winner
      image={<TokenImage id={project.id} symbol={project.tokenSymbol} src={project.imageUrl} alt="" size={88} eager />}
      title={
        <Link to={to} className="stretched">
          {project.tokenName}
        </Link>
      }
      subtitle={
        <>
          <VerifiedMark proofs={project.verified} /> {`$${project.tokenSymbol}`}
          {project.sold ? <Badge>{project.sold[locale]}</Badge> : null}
        </>
      }
      value={text.home.marketCapShort(listedMarketCap(project.marketCap, locale))}
      corner={corner}
      source={project.marketCapFrom && text.home.capFrom[project.marketCapFrom]}
      action={
        <ButtonLink
          to={to}
          size="sm"
          className="above"
          aria-label={text.home.viewDetailsOf(project.tokenName)}
          lang="en"
        >
          {text.home.viewDetails}
        </ButtonLink>
      }
    />
  );
}
