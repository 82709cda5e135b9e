/** A failure that another attempt meets again: whoever would retry has to stop. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure';
}
