import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import {
  createCandidate,
  listAllCandidates,
  removeCandidate,
  restoreCandidate,
  setCandidateActive,
  updateCandidate,
} from './manage.service.ts';
import { resetVotes, undoReset } from './manage-votes.service.ts';
import { closeRoundEarly, openRound, setNextRound } from './rounds/round-ends.service.ts';
import { listRounds, promoteWinner, readCurrentRound, setRoundEnd } from './rounds/rounds.service.ts';

export const candidatesAdminApi = {
  list: admin.candidates.list.handler(({ input, context }) => listAllCandidates(context.db, input, context.now())),
  create: admin.candidates.create.handler(({ input, context }) =>
    createCandidate(context.db, context.media, editorOf(context), input),
  ),
  update: admin.candidates.update.handler(({ input, context }) =>
    updateCandidate(context.db, context.media, editorOf(context), input),
  ),
  setActive: admin.candidates.setActive.handler(({ input, context }) =>
    setCandidateActive(context.db, editorOf(context), input),
  ),
  remove: admin.candidates.remove.handler(({ input, context }) =>
    removeCandidate(context.db, editorOf(context), input),
  ),
  restore: admin.candidates.restore.handler(({ input, context }) =>
    restoreCandidate(context.db, editorOf(context), input),
  ),
  resetVotes: adminAfterStepUp.candidates.resetVotes.handler(({ input, context }) =>
    resetVotes(context.db, editorOf(context), input),
  ),
  undoReset: adminAfterStepUp.candidates.undoReset.handler(({ input, context }) =>
    undoReset(context.db, editorOf(context), input),
  ),
};

export const roundsAdminApi = {
  list: admin.rounds.list.handler(({ input, context }) => listRounds(context.db, input)),
  current: admin.rounds.current.handler(({ context }) => readCurrentRound(context.db, context.fixedNow())),
  setEnd: adminAfterStepUp.rounds.setEnd.handler(({ input, context }) =>
    setRoundEnd(context.db, editorOf(context), input, context.fixedNow()),
  ),
  setNext: admin.rounds.setNext.handler(({ input, context }) => setNextRound(context.db, editorOf(context), input)),
  closeEarly: adminAfterStepUp.rounds.closeEarly.handler(({ input, context }) =>
    closeRoundEarly(context.db, editorOf(context), input, context.fixedNow()),
  ),
  open: admin.rounds.open.handler(({ input, context }) =>
    openRound(context.db, editorOf(context), input, context.fixedNow()),
  ),
  promoteWinner: adminAfterStepUp.rounds.promoteWinner.handler(({ input, context }) =>
    promoteWinner(context.db, editorOf(context), input),
  ),
};
