import { expect, it } from 'vitest';
import { ApiFailure } from '#app/lib/api/failure.ts';
import { isAlreadyVoted } from './voting.queries.ts';

it('a refusal whose message says “already voted” counts as ALREADY_VOTED, whatever its code [ERR-35]', () => {
  const isVotedAlready = (message: string, code = 'CONFLICT') =>
    isAlreadyVoted(new ApiFailure(code, 409, null, message));
  expect(isVotedAlready('Ya has votado por este candidato hoy. Solo puedes votar una vez por día por candidato.')).toBe(
    true,
  );
  expect(isVotedAlready('You have already voted for this candidate')).toBe(true);
  expect(isVotedAlready('RATE_LIMITED', 'RATE_LIMITED')).toBe(false);
  expect(isAlreadyVoted(new TypeError('Failed to fetch'))).toBe(false);
});
