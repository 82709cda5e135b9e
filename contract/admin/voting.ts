import { z } from 'zod';
import { errors } from '../errors.ts';
import { eachLink } from '../fields/links.ts';
import { requiredText } from '../fields/schemas.ts';
import { REASON_MAX } from '../limits.ts';
import { resemblanceAccepted } from '../resemblance.ts';
import { candidateForm, newCandidateForm } from './forms/candidates.ts';
import { earlyCloseForm, newRoundForm, nextRoundForm, roundEndForm } from './forms/rounds.ts';
import { undoneVersion } from './shared/bulk.ts';
import {
  adminRead,
  adminWrite,
  anyRecord,
  byAdminAfterStepUp,
  listInput,
  pageOf,
  recordColumns,
  saving,
  seenRecord,
  shelf,
} from './shared/list.ts';
import { restoringToken, savingToken, trashedToken } from './shared/token-fields.ts';

const { shape: short } = newCandidateForm;

const candidate = z.object({
  ...recordColumns,
  ...candidateForm.shape,
  // Unvalidated, because stored values can be older than the rules of the form.
  imageUrl: z.string().nullable(),
  ...eachLink(() => z.string().nullable()),
  description: z.string().nullable(),
  descriptionFull: z.string().nullable(),
  contractAddress: z.string().nullable(),
  adminNotes: z.string().nullable(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  tokenSlug: z.string(),
  totalVotes: z.int().nonnegative(),
  /** Votes of the current UTC day. */
  votesToday: z.int().nonnegative(),
  /** The newest round that it won. */
  wonRound: z.int().nullable(),
  /** The newest reset of its votes that can be undone. */
  resetId: z.uuid().nullable(),
  resetAt: z.iso.datetime().nullable(),
  resetVotes: z.int().nullable(),
});
export type AdminCandidate = z.infer<typeof candidate>;

export const adminCandidates = {
  list: adminRead('/candidates', 'Candidates, also inactive ones, or those in the trash', ['editor'])
    .input(
      listInput(['orderIndex', 'tokenName', 'tokenSymbol', 'totalVotes', 'isActive', 'createdAt'], {
        shelf,
        status: z.enum(['all', 'active', 'inactive']).default('all'),
      }),
    )
    .output(pageOf(candidate)),
  /** Name, symbol, description, image and order; all other fields are edited afterwards. */
  create: adminWrite('POST', '/candidates', 'Add a candidate', ['editor'])
    .errors(savingToken)
    .input(
      newCandidateForm.extend({
        description: short.description.default(null),
        imageUrl: short.imageUrl.default(null),
        orderIndex: short.orderIndex.default(0),
        resemblanceAccepted,
      }),
    )
    .output(candidate),
  update: adminWrite('PUT', '/candidates/{id}', 'Change a candidate', ['editor'])
    .errors(savingToken)
    .input(seenRecord.extend({ ...candidateForm.shape, resemblanceAccepted }))
    .output(candidate),
  /** The list's switch; it changes no other field, so it needs no version, except as an undo. */
  setActive: adminWrite('PUT', '/candidates/{id}/active', 'Put a candidate up for voting, or take it off', ['editor'])
    .errors(saving)
    .input(anyRecord.extend({ isActive: z.boolean(), undoOf: undoneVersion }))
    .output(candidate),
  /** Moves it to the trash with its votes, which are restored with it. */
  remove: adminWrite('DELETE', '/candidates/{id}', 'Delete a candidate', ['editor'])
    .errors(saving)
    .input(seenRecord)
    .output(candidate),
  restore: adminWrite('POST', '/candidates/{id}/restore', 'Take a candidate out of the trash', ['editor'])
    .errors(restoringToken)
    .input(trashedToken)
    .output(candidate),
  /** Removes all votes for a reason; members who voted today can vote again. The votes are retained for 30 days. Requires step-up. */
  resetVotes: adminWrite('POST', '/candidates/{id}/reset', 'Reset the votes of a candidate')
    .errors({ ...byAdminAfterStepUp, NOT_FOUND: errors.NOT_FOUND, ALREADY_DONE: errors.ALREADY_DONE })
    .input(anyRecord.extend({ reason: requiredText(1, REASON_MAX) }))
    .output(candidate),
  /** Restores the votes; for a member who voted again on the same day the newer vote counts. Requires step-up. */
  undoReset: adminWrite('POST', '/candidates/{id}/resets/{resetId}/undo', 'Take back a reset of votes')
    .errors({ ...byAdminAfterStepUp, NOT_FOUND: errors.NOT_FOUND, ALREADY_DONE: errors.ALREADY_DONE })
    .input(anyRecord.extend({ resetId: z.uuid() }))
    .output(candidate.extend({ restored: z.int().nonnegative() })),
};

const standing = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  imageUrl: z.string().nullable(),
  totalVotes: z.int().nonnegative(),
  /** Time when it reached this total: of two equal totals the earlier one wins. */
  reachedAt: z.iso.datetime().nullable(),
});
export type Standing = z.infer<typeof standing>;

const openRound = z.object({
  id: z.uuid(),
  number: z.int().positive(),
  opensAt: z.iso.datetime(),
  closesAt: z.iso.datetime(),
  ...nextRoundForm.shape,
});

const currentRound = z.object({
  /** Null while voting is paused. */
  round: openRound.nullable(),
  /** The first three by the rule of the round, without candidates that have no votes: the first one would win now. */
  leaders: z.array(standing),
  /** The certified winner that graduates next, with the frozen standings. */
  winner: standing
    .extend({ roundId: z.uuid(), roundNumber: z.int().positive(), closedEarly: z.string().nullable() })
    .nullable(),
  /** Length of a round in days, from the settings. */
  calendarDays: z.int().positive(),
  /** The server's time, for countdowns. */
  serverTime: z.iso.datetime(),
});
export type CurrentRound = z.infer<typeof currentRound>;

const closedRound = z.object({
  id: z.uuid(),
  number: z.int().positive(),
  opensAt: z.iso.datetime(),
  closesAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
  winnerId: z.uuid().nullable(),
  winnerName: z.string().nullable(),
  winnerSymbol: z.string().nullable(),
  winnerVotes: z.int().nullable(),
  /** The NEXT project of the winner; null when it was purged. */
  nextProjectId: z.uuid().nullable(),
  closedBy: z.string().nullable(),
  /** Reason for closing it before its end; null when it ended regularly. */
  closedEarly: z.string().nullable(),
});
export type ClosedRound = z.infer<typeof closedRound>;

const roundFailures = {
  NOT_FOUND: errors.NOT_FOUND,
  NOT_VALID: errors.NOT_VALID,
  ROUND_CHANGED: errors.ROUND_CHANGED,
};

export const adminRounds = {
  list: adminRead('/rounds', 'Closed rounds', ['editor'])
    .input(listInput(['number', 'closedAt'], {}))
    .output(pageOf(closedRound)),
  current: adminRead('/rounds/current', 'The open round and who leads it', ['editor']).output(currentRound),
  /** Moves the end of the open round. */
  setEnd: adminWrite('PUT', '/rounds/{id}', 'Move the end of the open round')
    .errors({ ...byAdminAfterStepUp, ...roundFailures })
    .input(anyRecord.extend({ seenClosesAt: z.iso.datetime(), ...roundEndForm.shape }))
    .output(openRound),
  /** Sets what follows the open round: another round of this length, or a pause. */
  setNext: adminWrite('PUT', '/rounds/{id}/next', 'Say what follows the open round')
    .errors(roundFailures)
    .input(anyRecord.extend(nextRoundForm.shape))
    .output(openRound),
  /** Closes the open round before its end; the reason is public. Requires step-up. */
  closeEarly: adminWrite('POST', '/rounds/{id}/close', 'Close the open round before its end')
    .errors({ ...byAdminAfterStepUp, ...roundFailures, VOTES_BEING_DECIDED: errors.VOTES_BEING_DECIDED })
    .input(anyRecord.extend({ seenClosesAt: z.iso.datetime(), ...earlyCloseForm.shape }))
    .output(z.object({ winnerId: z.uuid().nullable(), opened: z.int().nullable() })),
  /** Opens a round while voting is paused. */
  open: adminWrite('POST', '/rounds', 'Open a round').errors(roundFailures).input(newRoundForm).output(openRound),
  /** Turns the certified winner of a closed round into a NEXT project and ends its candidacy. Requires step-up. */
  promoteWinner: adminWrite('POST', '/rounds/{id}/winner', 'Graduate the certified winner of a round')
    .errors({ ...byAdminAfterStepUp, ...roundFailures, NO_WINNER: errors.NO_WINNER })
    .input(anyRecord.extend({ candidateId: z.uuid() }))
    .output(z.object({ nextProjectId: z.uuid() })),
};
