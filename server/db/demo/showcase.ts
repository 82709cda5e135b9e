import type { Tx } from '#server/db/client.ts';
import { projects } from '#server/db/tables/projects.ts';
import { GRID_PROJECTS } from './projects-grid.ts';
import { NEW_PROJECTS } from './projects-new.ts';
import { PLACED_PROJECTS } from './projects-podium.ts';
import { addressOf, idOf } from './random.ts';
import { daysBefore, linksOf, slugOf, textsOf } from './text.ts';

export async function seedShowcase(tx: Tx, now: Date): Promise<void> {
  await tx.insert(projects).values(
    [...PLACED_PROJECTS, ...GRID_PROJECTS, ...NEW_PROJECTS].map((project) => {
      const { name, place = 999 } = project;
      const status = project.status ?? ('published_home' as const);
      const slug = slugOf(name);
      // Distributed over the hours of the day.
      const createdAt = daysBefore(now, project.ageDays + (project.holders % 10) / 24);
      const address = addressOf(`project ${name}`);
      return {
        id: idOf(`project ${name}`),
        tokenName: name,
        tokenSymbol: project.symbol,
        tokenSlug: slug,
        tokenAddress: address,
        contractAddress: status === 'published_home' ? address : null,
        ...textsOf(project),
        ...linksOf(slug),
        holdersCount: project.holders,
        marketCap: project.cap,
        progressPercentage: project.progress,
        status,
        isFeatured: place <= 3,
        orderIndex: place,
        createdAt,
        updatedAt: createdAt,
      };
    }),
  );
}
