import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hmacSha256, hmacWith } from './hmac.ts';

it('hmacSha256 equals the HMAC of Node for keys of any length and any text', () => {
  const key = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 100 }), fc.constant('k'.repeat(64)));
  fc.assert(
    fc.property(key, fc.string({ unit: 'grapheme', maxLength: 200 }), (secret, text) => {
      expect(hmacSha256(secret, text).toString('hex')).toBe(createHmac('sha256', secret).update(text).digest('hex'));
    }),
    { numRuns: 500 },
  );
});

it('one prepared key serves many messages', () => {
  const prepared = hmacWith('a key');
  for (const text of ['', 'first', 'a longer second one', 'ñandú 日本', 'first'])
    expect(prepared(text).toString('hex')).toBe(createHmac('sha256', 'a key').update(text).digest('hex'));
});
