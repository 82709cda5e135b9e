import { describe, expect, it } from 'vitest';
import { en } from '../messages/en.ts';
import { es } from '../messages/es.ts';
import { ApiFailure, failureText } from './failure.ts';

describe('a refusal for too many attempts', () => {
  const refused = (retryAfter?: number) => new ApiFailure('RATE_LIMITED', 429, { retryAfter });

  it('says how long to wait', () => {
    expect(failureText(refused(40), es)).toBe('Demasiados intentos. Vuelve a intentarlo dentro de 40 segundos.');
    expect(failureText(refused(3_000), es)).toBe('Demasiados intentos. Vuelve a intentarlo dentro de 50 minutos.');
    expect(failureText(refused(7_200), en)).toBe('Too many tries. Try again in 2 hours.');
  });

  it('names no time when the server sent none', () => {
    expect(failureText(refused(), es)).toBe('Demasiados intentos. Vuelve a intentarlo más tarde.');
  });
});
