import { describe, expect, it } from 'vitest';
import { launchWindowOf } from './launch-window.ts';

const AT = '2026-11-23T18:00:00.000Z';
const token = (
  countdownEnd: string | null,
  launchDate: string | null = null,
  status: 'published' | 'launched' = 'published',
) => ({
  launch: {
    status,
    launchDate,
    countdownEnd,
    isVotingWinner: false,
    wonRound: null,
    proof: { by: 'none' as const },
    changes: [],
  },
});
const seconds = (from: number) => Date.parse(AT) + from * 1_000;

describe('the launch window', () => {
  it('is waiting in the hour before the launch, open for seven days after it, and absent otherwise', () => {
    const at = (from: number) => launchWindowOf(token(AT), seconds(from))?.state;
    expect([-3_601, -3_600, -1, 0, 1, 7 * 86_400, 7 * 86_400 + 1].map(at)).toEqual([
      undefined,
      'waiting',
      'waiting',
      'open',
      'open',
      'open',
      undefined,
    ]);
  });

  it('is not waiting for a launch that is already marked as launched', () => {
    const at = (from: number) => launchWindowOf(token(AT, null, 'launched'), seconds(from))?.state;
    expect([-60, -1, 0].map(at)).toEqual([undefined, undefined, 'open']);
  });

  it('uses the end of the countdown, else the launch date', () => {
    expect(launchWindowOf(token(AT, '2026-12-24T00:00:00.000Z'), seconds(-60))?.at).toBe(AT);
    expect(launchWindowOf(token(null, AT), seconds(-60))?.at).toBe(AT);
    expect(launchWindowOf(token(null), seconds(-60))).toBeNull();
    expect(launchWindowOf({ launch: null }, seconds(-60))).toBeNull();
  });
});
