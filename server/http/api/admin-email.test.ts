import { describe, expect, it } from 'vitest';
import type { Viewer } from '#server/lib/viewer.ts';
import { withoutAdminEmail } from './admin-email.ts';

const asking = (over: Partial<Viewer> | null) => ({ viewer: async () => over as Viewer | null });
const admin = asking({ email: 'chief@florka.test', isAdmin: true });

describe('the e-mail of an admin in the input', () => {
  it('is removed when it belongs to the calling admin', async () => {
    expect(await withoutAdminEmail(admin, { adminEmail: ' Chief@florka.test ', id: 1 })).toEqual({ id: 1 });
  });
  it.each([
    ['of somebody else', 'other@florka.test'],
    ['an object', { toString: 1 }],
    ['a number', 7],
    ['null', null],
  ])('refuses the call when it is %s', async (_what, adminEmail) => {
    await expect(withoutAdminEmail(admin, { adminEmail })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    // Other callers are refused by the guard.
    expect(await withoutAdminEmail(asking(null), { adminEmail })).toEqual({});
  });
});
