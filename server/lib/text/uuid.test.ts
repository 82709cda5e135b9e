import { expect, it } from 'vitest';
import { isUuid } from './uuid.ts';

it.each([
  ['00000000-0000-0000-0000-000000000000', true],
  ['0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3', true],
  ['0192F0C1-2D3E-7A4B-8C5D-6E7F8091A2B3', true],
  ['', false],
  ['0192f0c12d3e7a4b8c5d6e7f8091a2b3', false],
  ['{0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3}', false],
  ['0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2bg', false],
  [' 0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3', false],
  ['0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3\n', false],
  ['0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b30', false],
])('%j is a UUID: %s', (text, expected) => expect(isUuid(text)).toBe(expected));
