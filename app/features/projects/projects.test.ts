import { expect, it } from 'vitest';
import { homeTiming, podiumQuery, projectsQuery } from './projects.queries.ts';

it('asks for home anew when the network is back, not when the window is looked at [TIME-04..05]', () => {
  expect(homeTiming).toMatchObject({ refetchOnWindowFocus: false, refetchOnReconnect: true });
  for (const query of [podiumQuery(), projectsQuery('all'), projectsQuery('new')])
    expect(query).toMatchObject(homeTiming);
});
