// The fields of a publication request. Browsers run this file too.

import { EMAIL_MAX, REQUEST_MAX } from '../limits.ts';
import { each } from './each.ts';
import { eachLink } from './links.ts';

const link = { max: REQUEST_MAX.link };

/** All fields with their maximum length, in the order of the screen. `needed`: a required text. */
const FIELDS = {
  projectName: { max: REQUEST_MAX.name, needed: true },
  symbol: { max: REQUEST_MAX.symbol, needed: true },
  network: { max: REQUEST_MAX.network },
  address: { max: REQUEST_MAX.address },
  description: { max: REQUEST_MAX.description, needed: true },
  ...eachLink(() => link),
  imageUrl: link,
  submitterName: { max: REQUEST_MAX.line, needed: true },
  submitterEmail: { max: EMAIL_MAX },
} as const;

type Fields = typeof FIELDS;
export type SubmissionField = keyof Fields;
type Needed = { [Name in SubmissionField]: Fields[Name] extends { needed: true } ? Name : never }[SubmissionField];
type Optional = Exclude<SubmissionField, Needed | 'submitterEmail'>;

const isNeeded = (name: SubmissionField): name is Needed => 'needed' in FIELDS[name];

export const SUBMISSION_FIELDS = Object.keys(FIELDS) as SubmissionField[];
export const NEEDED_FIELDS: readonly Needed[] = SUBMISSION_FIELDS.filter(isNeeded);
export const submissionMax = (name: SubmissionField): number => FIELDS[name].max;
export const eachNeededField = <Value>(make: (name: Needed) => Value): Record<Needed, Value> =>
  each(NEEDED_FIELDS, make);
/** One value for each optional field, without the required ones and the applicant's mailbox. */
export const eachOptionalField = <Value>(make: (name: Optional) => Value): Record<Optional, Value> =>
  each(
    SUBMISSION_FIELDS.filter((name): name is Optional => !isNeeded(name) && name !== 'submitterEmail'),
    make,
  );
