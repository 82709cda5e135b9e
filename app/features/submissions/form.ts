import { useRef, useState } from 'react';
import { asLink } from '#app/lib/forms/as-link.ts';
import { randomKey } from '#app/lib/forms/random-key.ts';
import { each } from '#contract/fields/each.ts';
import { eachLink, httpLink, TOKEN_LINKS } from '#contract/fields/links.ts';
import { NEEDED_FIELDS, SUBMISSION_FIELDS, type SubmissionField } from '#contract/fields/submission-fields.ts';
import { isEmail, isTicker } from '#contract/fields/token-form.ts';
import { type Checksum, checkWallet } from '#contract/fields/wallets.ts';
import { READABLE } from '#contract/text/clean-text.ts';

export type FieldName = SubmissionField;
export type Form = Record<FieldName, string>;
/** In the order of the screen, in which errors get the focus. */
export const FIELDS = SUBMISSION_FIELDS;
export const BLANK: Form = each(FIELDS, () => '');

/** The form with full URLs: 'florka.io' gets https://. */
export const withWholeLinks = (form: Form): Form => ({
  ...form,
  ...eachLink((name) => asLink(form[name])),
});

/** Errors that the server would return, detected in advance; the server checks in any case. */
export function fieldErrorsOf(form: Form, checksum: Checksum | null): FieldName[] {
  const isValid = (name: FieldName): boolean => {
    const value = form[name].trim();
    if (name === 'symbol') return isTicker(value);
    if ((NEEDED_FIELDS as readonly string[]).includes(name)) return READABLE.test(value);
    if (name === 'submitterEmail') return isEmail(value);
    if ((TOKEN_LINKS as readonly string[]).includes(name)) return value === '' || httpLink(asLink(value)) !== '';
    if (name === 'network') return value !== '' || form.address.trim() === '';
    if (name === 'address')
      return value === '' || !form.network || checkWallet(form.network, value, checksum) !== 'invalid';
    return true;
  };
  return FIELDS.filter((name) => !isValid(name));
}

/** State of one form: its fields, the key of its images, and the id of its attempt. */
export interface Stored {
  form: Form;
  /** False until the first change. */
  changed: boolean;
  formKey: string;
  attempt: string;
}

const NAME = 'florka.publish';
/** A version 4 UUID; `crypto.randomUUID` exists on https and localhost only. */
function newAttempt(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A form without changes. */
export const unchangedForm = (): Stored => ({
  form: BLANK,
  changed: false,
  formKey: randomKey(),
  attempt: newAttempt(),
});

function read(): Stored {
  try {
    const stored = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Partial<Stored> | null;
    if (!stored?.form || typeof stored.formKey !== 'string' || typeof stored.attempt !== 'string')
      return unchangedForm();
    const { form } = stored;
    const fields = FIELDS.map((name) => [name, typeof form[name] === 'string' ? form[name] : '']);
    return { ...unchangedForm(), ...stored, form: Object.fromEntries(fields) as Form, changed: true };
  } catch {
    return unchangedForm();
  }
}

/** The fields as displayed: until the first change, a signed-in member's name and e-mail are prefilled. */
export const withMember = (
  { form, changed }: Stored,
  member: { username: string | null; email: string } | null,
): Form =>
  changed || !member ? form : { ...form, submitterName: member.username ?? '', submitterEmail: member.email };

/**
 * The state after a change of the displayed fields. Prefilled values are stored with it, so a field that is cleared stays empty.
 * Every change gets another idempotency key: the form may have been sent before this page was loaded, or by a duplicate of the tab,
 * and the server answers the same key with what it got then.
 *
 * @param form all fields as displayed, with the change.
 */
export const withChange = (stored: Stored, form: Form): Stored => ({
  ...stored,
  form,
  changed: true,
  attempt: newAttempt(),
});

/**
 * True when the displayed form differs from the one that was sent, as by input while the request was on its way.
 *
 * @param sent with whole links.
 */
export const differsFrom = (sent: Form, displayed: Form): boolean => {
  const now = withWholeLinks(displayed);
  return FIELDS.some((name) => now[name].trim() !== sent[name].trim());
};

/** True while this tab stores input that was not sent. */
export function hasStoredForm(): boolean {
  try {
    return sessionStorage.getItem(NAME) !== null;
  } catch {
    return false;
  }
}

/** The form of this tab: it survives reloads, failures and an ended session. Components that use it are rendered by the browser only. */
export function useStoredForm() {
  const [stored, setStored] = useState(read);
  /** An upload that ends is added to what is typed by then, not to what was typed when it began. */
  const newest = useRef(stored);
  function store(next: Stored) {
    newest.current = next;
    setStored(next);
    try {
      sessionStorage.setItem(NAME, JSON.stringify(next));
    } catch {
      // Storage can be full or denied: the input is still on screen.
    }
  }
  return {
    stored,
    /** @param form the displayed fields after the change, from the newest state. */
    change: (form: (now: Stored) => Form) => store(withChange(newest.current, form(newest.current))),
    /** The state with all changes so far; `stored` is that of the last render. */
    newest: () => newest.current,
    forget: () => {
      try {
        sessionStorage.removeItem(NAME);
      } catch {
        // As above.
      }
    },
  };
}
