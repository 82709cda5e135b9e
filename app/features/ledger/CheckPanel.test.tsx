import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import { es } from '#app/lib/messages/es.ts';
import type { MyVotes } from '#contract/domains/ledger.ts';
import type { Race } from '#contract/domains/race.ts';
import type { Report } from '#verify/log.ts';
import { Found } from './CheckPanel.tsx';

const [RANKED, VOTED, UNKNOWN] = [1, 2, 3].map((n) => `${String(n).repeat(8)}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
];
const round = (number: number, ...votes: [candidate: string, votes: number][]) => ({
  round: number,
  rows: votes.map(([candidate, votes]) => ({ candidate, votes, reached: null })),
  absent: [],
});

/** The text of what the check shows of these rounds. */
function shown(locale: 'es' | 'en', rounds: Report['rounds']): string {
  const queries = new QueryClient();
  // A winner is in no ranking any more, but in the race of its round.
  const race = { candidates: [{ id: RANKED, tokenName: 'Alba' }] } as Race;
  for (const number of [1, 5]) queries.setQueryData(rpc.race.days.queryKey({ input: { round: number } }), race);
  queries.setQueryData(rpc.ledger.mine.queryKey(), [{ candidateId: VOTED, tokenName: 'Bruma' }] as MyVotes);
  const votes = { counted: 9, under_review: 0, void: 0, withdrawn: 0 };
  const none = { problems: [], days: [], unstatedRounds: [], receipts: [], witnesses: [] };
  const report: Report = {
    ...none,
    ...{ origin: '', size: 20, root: '', key: '', votes, rounds, consistentWith: 0, leavesPerSecond: 1 },
    memory: { key: '', seen: [] },
  };
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <LanguageProvider locale={locale} text={locale === 'es' ? es : en}>
        <Found report={report} withoutLine={0} />
      </LanguageProvider>
    </QueryClientProvider>,
  );
}

it('winners of rounds are shown by name, or by id where the page does not have the name', () => {
  const rounds = [round(1, [RANKED, 41], [VOTED, 2]), round(2, [VOTED, 1]), round(3, [UNKNOWN, 7])];
  const spanish = shown('es', rounds);
  expect(spanish).toContain('Ronda 1: gana Alba con 41 votos');
  expect(spanish).toContain('Ronda 2: gana Bruma con 1 voto<');
  expect(spanish).toContain(`Ronda 3: gana ${UNKNOWN} con 7 votos`);
  const english = shown('en', rounds);
  expect(english).toContain('Round 1: Alba won with 41 votes');
  expect(english).toContain('Round 2: Bruma won with 1 vote<');
  expect(english).toContain(`Round 3: ${UNKNOWN} won with 7 votes`);
});

it('a result without candidates has no winner', () => {
  expect(shown('es', [round(4), round(5, [RANKED, 2])])).not.toContain('Ronda 4');
  expect(shown('es', [round(4)])).not.toContain('Rondas contadas aquí');
});
