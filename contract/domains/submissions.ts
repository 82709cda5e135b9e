import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { solvedChallenge } from '../fields/challenge.ts';
import { formKey } from '../fields/form-key.ts';
import { submissionStatus } from '../fields/schemas.ts';
import {
  eachNeededField,
  eachOptionalField,
  type SubmissionField,
  submissionMax,
} from '../fields/submission-fields.ts';
import { EMAIL_FORM } from '../limits.ts';
import { resemblanceAccepted } from '../resemblance.ts';

/** Counted as it is stored: in NFC some characters become several. */
const text = (name: SubmissionField) => z.string().trim().normalize('NFC').max(submissionMax(name));

/** A project submitted for publication. */
export const submissionInput = z.strictObject({
  ...eachNeededField((name) => text(name).min(1)),
  ...eachOptionalField((name) => text(name).default('')),
  submitterEmail: text('submitterEmail').regex(EMAIL_FORM),
});
export type SubmissionInput = z.infer<typeof submissionInput>;

/** Claims the images that the form uploads (header x-claim), so that guests can use and delete them. */
const claim = formKey;

export const submissions = {
  /** False while the operator accepts no submissions. */
  state: oc
    .route({ method: 'GET', path: '/submissions/state', tags: ['submissions'], summary: 'Are submissions open?' })
    .output(
      z.object({
        open: z.boolean(),
        /** Mailbox for support; null when the operator has none. */
        supportEmail: z.string().nullable(),
      }),
    ),
  create: oc
    .route({ method: 'POST', path: '/submissions', tags: ['submissions'], summary: 'Ask for a publication' })
    .errors({
      RATE_LIMITED: errors.RATE_LIMITED,
      SUBMISSIONS_CLOSED: errors.SUBMISSIONS_CLOSED,
      CHALLENGE_NEEDED: errors.CHALLENGE_NEEDED,
      /** The same applicant submitted the same project, and it is not decided yet. */
      DUPLICATE: errors.DUPLICATE,
      RESEMBLES: errors.RESEMBLES,
    })
    .input(
      submissionInput.extend({
        challenge: solvedChallenge.optional(),
        /** Idempotency key of the form: a repeated request, for instance after a lost response, returns the same receipt. */
        attempt: z.uuid().optional(),
        claim: claim.optional(),
        resemblanceAccepted,
        locale: z.enum(['es', 'en']).default('es'),
      }),
    )
    /** `key` opens the status page: /submission/{id}#{key}. */
    .output(z.object({ id: z.uuid(), reference: z.string(), key: z.string(), createdAt: z.iso.datetime() })),
  read: oc
    .route({ method: 'POST', path: '/submissions/{id}', tags: ['submissions'], summary: 'Status by private link' })
    .errors({ RATE_LIMITED: errors.RATE_LIMITED, NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid(), key: z.string().max(100) }))
    .output(
      z.object({
        id: z.uuid(),
        reference: z.string(),
        status: submissionStatus,
        projectName: z.string(),
        symbol: z.string(),
        createdAt: z.iso.datetime(),
        reviewedAt: z.iso.datetime().nullable(),
        /** The team's message with its decision; null when there is none yet, or it is empty. */
        answer: z.string().nullable(),
        supportEmail: z.string().nullable(),
      }),
    ),
  removeImage: oc
    .route({
      method: 'POST',
      path: '/submissions/images/{id}/remove',
      tags: ['submissions'],
      summary: 'Remove an unused image of a form',
    })
    .errors({ RATE_LIMITED: errors.RATE_LIMITED, NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid(), claim }))
    .output(z.object({ removed: z.boolean() })),
};
