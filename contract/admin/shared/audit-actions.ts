/** Records with a trash, by their names in the audit log. */
export type TrashedKind = 'project' | 'next_project' | 'candidate' | 'news' | 'network' | 'post' | 'comment';

/** Records whose earlier versions are stored and can be restored. */
export const VERSIONED_KINDS = ['project', 'next_project', 'news'] as const satisfies readonly TrashedKind[];
export type VersionedKind = (typeof VERSIONED_KINDS)[number];
/** Records with scheduled publication and unpublication. */
export const SCHEDULED_KINDS = ['next_project', 'news'] as const satisfies readonly TrashedKind[];
export type ScheduledKind = (typeof SCHEDULED_KINDS)[number];

/** Kinds of entities in the audit log. Each needs a label in both languages, or the code does not compile. */
export type AuditKind =
  | TrashedKind
  | 'admin_invitation'
  | 'chain'
  | 'creation'
  | 'reading'
  | 'source'
  | 'deliverable'
  | 'deliverable_terms'
  | 'forum_user'
  | 'image'
  | 'job'
  | 'appeal'
  | 'list'
  | 'member'
  | 'moderator'
  | 'next'
  | 'payment'
  | 'refund'
  | 'report'
  | 'review'
  | 'request'
  | 'round'
  | 'session'
  | 'setting'
  | 'settlement'
  | 'site_page'
  | 'submission'
  | 'system'
  | 'token_request'
  | 'unplaced'
  | 'vote_cluster'
  | 'vote_month';

type Of<Kind extends string, Action extends string> = `${Kind}.${Action}`;
type Edited = 'created' | 'updated' | 'deleted' | 'restored' | 'purged';

/** All actions of the audit log. Each needs a label in both languages, or the code does not compile. */
export type AuditAction =
  | Of<Exclude<TrashedKind, 'post' | 'comment'>, Edited>
  | 'post.relabelled'
  | Of<'post' | 'comment', 'created' | 'edited' | 'deleted' | 'restored' | 'purged' | 'reported'>
  | Of<'post' | 'comment', 'report_kept' | 'report_hidden' | 'appealed' | 'appeal_upheld' | 'appeal_reversed'>
  | Of<'post' | 'comment', 'review_asked' | 'review_released' | 'review_declined' | 'review_withdrawn'>
  | Of<'trust', 'changed' | 'set' | 'undone'>
  | Of<'project', 'top3_added' | 'top3_removed'>
  | Of<VersionedKind, 'version_restored'>
  | Of<ScheduledKind, 'scheduled' | 'published' | 'expired'>
  | Of<'preview', 'made' | 'withdrawn'>
  | Of<'candidate', 'votes_reset' | 'reset_undone' | 'recounted' | 'graduated'>
  | Of<'round', 'end_moved' | 'closed' | 'closed_early' | 'opened' | 'next_set'>
  | Of<'vote', 'withdrawn'>
  | Of<'ticket', 'kept'>
  | Of<'votes', 'held' | 'released' | 'voided' | 'review_undone' | 'carried' | 'month_dropped'>
  | Of<'member', 'signed_up' | 'signed_in' | 'signed_out' | 'sign_in_failed' | 'sign_in_refused' | 'proved' | 'renamed'>
  | Of<'member', 'second_step_asked' | 'second_step_failed' | 'code_asked'>
  | Of<
      'member',
      'created' | 'updated' | 'confirmed' | 'banned' | 'disabled' | 'unbanned' | 'removed' | 'banned_votes_updated'
    >
  | Of<'member', 'note_added' | 'note_removed' | 'looked_at'>
  | Of<'account', 'exported'>
  | Of<'admin', 'created' | 'invited' | 'invitation_claimed'>
  | Of<'role', 'assigned' | 'removed'>
  | Of<'moderator_request', 'approved' | 'rejected'>
  | Of<'forum_profile', 'linked'>
  | Of<'presence', 'hidden' | 'shown'>
  | Of<'profile', 'set'>
  | Of<'member', 'muted' | 'blocked' | 'unrestricted'>
  | Of<'session', 'revoked' | 'others_revoked' | 'all_revoked' | 'everybody_revoked'>
  | Of<'second_factor', 'started' | 'on' | 'off' | 'reset_by_operator'>
  | Of<'passkey', 'added' | 'renamed' | 'removed'>
  | Of<'wallet', 'linked' | 'unlinked'>
  | Of<'password', 'changed' | 'reset_asked' | 'reset' | 'reset_sent' | 'reset_by_operator' | 'renewed'>
  | Of<'email', 'verification_sent' | 'verified' | 'change_asked' | 'changed'>
  | Of<'request', 'created' | 'closed' | 'reopened' | 'link_replaced'>
  | Of<
      'payment',
      | 'created'
      | 'changed'
      | 'asked'
      | 'accepted'
      | 'signed'
      | 'noted'
      | 'refund_noted'
      | 'placed'
      | 'settled_elsewhere'
      | 'superseded'
    >
  | Of<
      'token',
      | 'ordered'
      | 'proposed'
      | 'confirmed'
      | 'approved'
      | 'differs'
      | 'same_again'
      | 'source_verified'
      | 'source_refused'
      | 'source_retried'
      | 'declined'
      | 'retried'
      | 'signed'
      | 'created'
      | 'held'
      | 'failed'
      | 'showcased'
      | 'saved'
      | 'forgotten'
    >
  | Of<'deliverable', 'begun' | 'assigned' | 'delivered' | 'withdrawn' | 'place_begun' | 'place_ended'>
  | Of<'deliverable_terms', 'updated'>
  | Of<
      'refund',
      'opened' | 'address_set' | 'address_confirmed' | 'claimed' | 'released' | 'halted' | 'sent' | 'withdrawn'
    >
  | Of<'settlement', 'asked' | 'explained'>
  | Of<'saved', 'merged'>
  | Of<'notice', 'enabled' | 'disabled'>
  | Of<'notifications', 'set' | 'reader_set' | 'stopped'>
  | Of<'push', 'enabled' | 'disabled'>
  | Of<'telegram', 'asked' | 'linked' | 'unlinked'>
  | Of<'submission', 'created' | 'reviewed' | 'published'>
  | Of<'submissions', 'opened' | 'closed'>
  | Of<'setting', 'changed' | 'removed' | 'mail_tested' | 'payment_tested' | 'telegram_tested'>
  | Of<'site_page', 'updated' | 'restored'>
  | Of<'image', 'uploaded' | 'removed' | 'replaced' | 'deleted' | 'restored' | 'purged'>
  | Of<'proof', 'started' | 'proven' | 'renewed' | 'ended' | 'withdrawn'>
  | Of<'mail', 'sent_again'>
  | Of<'inbox', 'taken' | 'released'>
  | Of<'job', 'retried' | 'discarded'>
  | Of<'list', 'exported'>
  | Of<'installation', 'paused' | 'resumed'>
  | Of<'ledger', 'continued'>
  | Of<'demo', 'seeded'>;
