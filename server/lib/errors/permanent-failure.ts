/** A failure that would repeat with every attempt, so that its work must not be retried. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure';
}
