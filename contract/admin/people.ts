import { z } from 'zod';
import { linkedWallet } from '../domains/linked-wallets.ts';
import { notification } from '../domains/notifications.ts';
import { errors } from '../errors.ts';
import { requiredText } from '../fields/schemas.ts';
import { REASON_MAX, SEARCH_MAX, STAFF_NOTE_MAX } from '../limits.ts';
import { adminRead, adminWrite, byAdminAfterStepUp } from './shared/list.ts';
import {
  olderComments,
  olderCursor,
  olderMails,
  olderNotes,
  olderOrders,
  olderPosts,
  olderSubmissions,
  olderVotes,
  personComment,
  personMail,
  personNote,
  personOrder,
  personPost,
  personSubmission,
  personVote,
  rowCursor,
} from './shared/person-records.ts';
import { adminUser } from './users.ts';

const at = z.iso.datetime();
const anyPerson = z.strictObject({ id: z.uuid() });

/** A person in the search results, and the kind of match: a name, or the number of a record of theirs. */
const foundPerson = z.object({
  id: z.uuid(),
  email: z.string(),
  username: z.string().nullable(),
  by: z.enum(['name', 'order', 'refund', 'submission', 'account']),
});
export type FoundPerson = z.infer<typeof foundPerson>;

/** All that the team works with about a person: the newest records of each kind; for votes, posts and comments also their number. */
const person = z.object({
  user: adminUser,
  /** All of them, oldest first; each was linked by its own signature. */
  wallets: z.array(linkedWallet),
  notes: z.array(personNote),
  orders: z.array(personOrder),
  submissions: z.array(personSubmission),
  votes: z.object({
    counted: z.int(),
    underReview: z.int(),
    void: z.int(),
    newest: z.array(personVote),
  }),
  posts: z.object({ count: z.int(), newest: z.array(personPost) }),
  comments: z.object({ count: z.int(), newest: z.array(personComment) }),
  /** Mails to the address and to those that the person's orders name. Sent and expired ones are deleted after 30 days. */
  mails: z.array(personMail),
  /** For each part, the cursor of its older records (`admin.people.older`). */
  older: z.object({
    notes: olderCursor,
    orders: olderCursor,
    submissions: olderCursor,
    votes: olderCursor,
    posts: olderCursor,
    comments: olderCursor,
    mails: olderCursor,
  }),
});
export type PersonView = z.infer<typeof person>;

const olderOfPerson = z.discriminatedUnion('part', [
  olderNotes,
  olderOrders,
  olderSubmissions,
  olderVotes,
  olderPosts,
  olderComments,
  olderMails,
]);
export type OlderOfPerson = z.infer<typeof olderOfPerson>;
const personPart = person.shape.older.keyof();
export type PersonPart = z.infer<typeof personPart>;

/** The data that the person sees on their own pages. */
const seen = z.object({
  /** Without their paths: that of a publication request has the key of its private page. */
  notifications: z.array(notification.omit({ path: true })),
  unread: z.int(),
  votedToday: z.array(z.object({ token: z.string(), slug: z.string() })),
  uncounted: z.array(
    z.object({ tokenName: z.string(), reason: z.enum(['signal', 'banned', 'team']), underReview: z.boolean() }),
  ),
  saved: z.array(z.object({ name: z.string(), symbol: z.string() })),
  orders: z.array(z.object({ tokenName: z.string(), plan: z.string(), stage: z.string(), createdAt: at })),
});
export type PersonalData = z.infer<typeof seen>;

export const adminPeople = {
  find: adminRead('/people', 'People by a name, a mailbox, or a number of an order, refund or request', ['support'])
    .input(z.strictObject({ q: z.string().trim().min(2).max(SEARCH_MAX) }))
    .output(z.array(foundPerson)),
  read: adminRead('/people/{id}', 'Everything of one person that the team works with', ['support'])
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(anyPerson)
    .output(person),
  /** The records of a part after those that were read, newest first. */
  older: adminRead('/people/{id}/older', 'Older records of one part of the page of a person', ['support'])
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(anyPerson.extend({ part: personPart, after: rowCursor }))
    .output(olderOfPerson),
  addNote: adminWrite('POST', '/people/{id}/notes', 'Note something about a person; only the team reads it', [
    'support',
  ])
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(anyPerson.extend({ text: requiredText(1, STAFF_NOTE_MAX) }))
    .output(z.object({ id: z.uuid() })),
  removeNote: adminWrite('DELETE', '/people/notes/{id}', 'Remove a note about a person', ['support'])
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(anyPerson)
    .output(z.object({ ok: z.literal(true) })),
  /** A write, because the access is audited and the person is notified. Requires step-up. */
  look: adminWrite('POST', '/people/{id}/look', 'Read what a person sees on their own pages; they are told', [
    'support',
  ])
    .errors({ ...byAdminAfterStepUp, NOT_FOUND: errors.NOT_FOUND })
    .input(anyPerson.extend({ reason: requiredText(1, REASON_MAX) }))
    .output(seen),
};
