/** True for a number of an order (FL-…), a refund (RF-…) or a submission (PR-…), or its beginning: not for a mailbox such as pr-team@…. */
export const isRecordNumber = (text: string): boolean => /^(FL|RF|PR)-[0-9A-Z-]*$/i.test(text.trim());
