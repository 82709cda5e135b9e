import { admin } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { listClusters, listClusterVotes } from './clusters.service.ts';
import { decideCluster, decideClusters, undoDecision } from './decide.service.ts';
import { holdByHand } from './hold-by-hand.service.ts';

export const voteReviewAdminApi = {
  list: admin.voteReview.list.handler(({ input, context }) => listClusters(context.db, input)),
  hold: admin.voteReview.hold.handler(({ input, context }) => holdByHand(context.db, editorOf(context), input)),
  release: admin.voteReview.release.handler(({ input, context }) =>
    decideCluster(context.db, context.jobs, editorOf(context), { ...input, kind: 'release' }),
  ),
  void: admin.voteReview.void.handler(({ input, context }) =>
    decideCluster(context.db, context.jobs, editorOf(context), { ...input, kind: 'void' }),
  ),
  undo: admin.voteReview.undo.handler(({ input, context }) =>
    undoDecision(context.db, context.jobs, editorOf(context), input),
  ),
  decideMany: admin.voteReview.decideMany.handler(({ input, context }) =>
    decideClusters(context.db, context.jobs, editorOf(context), input),
  ),
};

export const clusterVotesAdminApi = {
  list: admin.clusterVotes.list.handler(({ input, context }) => listClusterVotes(context.db, input)),
};
