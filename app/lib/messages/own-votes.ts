import type { UncountedVote } from '#contract/domains/voting.ts';
import { defineMessages } from './define-messages.ts';

type Uncounted = Pick<UncountedVote, 'state' | 'reason'>;

/** Explains to members why a vote of theirs does not count. */
export const ownVoteTexts = defineMessages({
  es: {
    ownVotes: {
      explain: ({ state, reason }: Uncounted) =>
        state === 'under_review' && reason === 'team'
          ? 'En revisión: por ahora no cuenta. Una persona del equipo lo retuvo para revisarlo; no tienes que hacer nada.'
          : state === 'under_review'
            ? 'En revisión: por ahora no cuenta, porque se parece a los votos que se compran. Una persona del equipo lo mirará; no tienes que hacer nada.'
            : reason === 'banned'
              ? 'Anulado: no cuenta, porque tu cuenta se bloqueó.'
              : reason === 'team'
                ? 'Anulado: no cuenta. Una persona del equipo lo revisó y lo decidió así.'
                : 'Anulado: no cuenta, porque se parece a los votos que se compran.',
      ofDay: (day: string) => `Tu voto del ${day}.`,
      more: 'Ver tus votos y su estado',
      summary: (held: number, voided: number) =>
        [
          held === 0 ? '' : held === 1 ? '1 voto tuyo está en revisión.' : `${held} votos tuyos están en revisión.`,
          voided === 0 ? '' : voided === 1 ? '1 voto tuyo está anulado.' : `${voided} votos tuyos están anulados.`,
        ]
          .join(' ')
          .trim(),
    },
  },
  en: {
    ownVotes: {
      explain: ({ state, reason }) =>
        state === 'under_review' && reason === 'team'
          ? 'Under review: it does not count for now. Somebody of the team holds it to review it; there is nothing that you have to do.'
          : state === 'under_review'
            ? 'Under review: it does not count for now, because it looks like votes that are bought. Somebody of the team will look at it; there is nothing that you have to do.'
            : reason === 'banned'
              ? 'Void: it does not count, because your account was closed.'
              : reason === 'team'
                ? 'Void: it does not count. Somebody of the team looked at it and decided so.'
                : 'Void: it does not count, because it looks like votes that are bought.',
      ofDay: (day) => `Your vote of ${day}.`,
      more: 'See your votes and their state',
      summary: (held, voided) =>
        [
          held === 0
            ? ''
            : held === 1
              ? '1 vote of yours is under review.'
              : `${held} votes of yours are under review.`,
          voided === 0 ? '' : voided === 1 ? '1 vote of yours is void.' : `${voided} votes of yours are void.`,
        ]
          .join(' ')
          .trim(),
    },
  },
});
