import { LIMITS } from '#contract/limits.ts';
import { limit, perMember } from '#server/http/api/guarantees.ts';
import { member } from '#server/http/api/procedures.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import {
  checkProof,
  giveUpProof,
  proveByWallet,
  readOwnership,
  startProof,
  startWalletProof,
} from './ownership.service.ts';

const hour = perMember('ownership', LIMITS.ownershipHour);
const ofMember = limit(hour);
const proverOf = (context: { me: Viewer; actor: Actor; now: () => Date }) => ({
  actor: context.actor,
  viewer: context.me,
  now: context.now(),
});

export const ownershipApi = {
  mine: member.ownership.mine.handler(({ input, context }) => readOwnership(context.db, context.me, input)),
  start: member.ownership.start
    .use(ofMember)
    .handler(({ input, context }) => startProof(context.db, proverOf(context), input)),
  check: member.ownership.check
    .use(ofMember)
    .handler(({ input, context }) =>
      checkProof(context.db, context.proofs, { ...proverOf(context), counted: hour.takes(context, input) }, input.id),
    ),
  startWallet: member.ownership.startWallet
    .use(ofMember)
    .handler(({ input, context }) => startWalletProof(context.db, context.publicUrl, proverOf(context), input)),
  proveWallet: member.ownership.proveWallet
    .use(ofMember)
    .handler(({ input, context }) => proveByWallet(context.db, proverOf(context), input)),
  giveUp: member.ownership.giveUp.use(ofMember).handler(async ({ input, context }) => {
    await giveUpProof(context.db, proverOf(context), input.id);
    return { ok: true as const };
  }),
};
