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

describe('the window of a launch', () => {
  it('lights up an hour before, opens at the moment itself, and is gone after a week', () => {
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

  it('does not count down to a launch that was marked as launched already', () => {
    const at = (from: number) => launchWindowOf(token(AT, null, 'launched'), seconds(from))?.state;
    expect([-60, -1, 0].map(at)).toEqual([undefined, undefined, 'open']);
  });

  it('goes by the countdown, else by the date', () => {
    expect(launchWindowOf(token(AT, '2026-12-24T00:00:00.000Z'), seconds(-60))?.at).toBe(AT);
    expect(launchWindowOf(token(null, AT), seconds(-60))?.at).toBe(AT);
    expect(launchWindowOf(token(null), seconds(-60))).toBeNull();
    expect(launchWindowOf({ launch: null }, seconds(-60))).toBeNull();
  });
});
