import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import type { Token } from '#contract/domains/tokens.ts';
import { LaunchPart } from './LaunchPart.tsx';

/** The times that the part names. */
function timesOf(over: { launchDate: string | null; countdownEnd: string | null }): string[] {
  const launch = { status: 'published', isVotingWinner: false, wonRound: null, proof: { by: 'none' }, ...over };
  const html = renderToStaticMarkup(
    <LanguageProvider locale="es" text={es}>
      <LaunchPart launch={launch as unknown as NonNullable<Token['launch']>} serverTime="2026-08-01T12:00:00.000Z" />
    </LanguageProvider>,
  );
  return [...html.matchAll(/dateTime="([^"]+)"/gi)].map(([, time]) => time ?? '');
}

it('the launch part shows one time: the end of the countdown, else the launch date [AMB-102]', () => {
  const [sooner, later] = ['2026-08-03T10:00:00.000Z', '2026-08-10T10:00:00.000Z'];
  expect(timesOf({ launchDate: later, countdownEnd: sooner })).toEqual([sooner]);
  expect(timesOf({ launchDate: later, countdownEnd: null })).toEqual([later]);
  expect(timesOf({ launchDate: null, countdownEnd: sooner })).toEqual([sooner]);
  expect(timesOf({ launchDate: null, countdownEnd: null })).toEqual([]);
});
