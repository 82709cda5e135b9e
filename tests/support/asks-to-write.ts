/** Sentences that ask somebody to write to the team: only true where the site has a mailbox that the team reads. */
export const ASKS_TO_WRITE =
  /escr[ií]b(enos|inos|ir?nos|e al equipo)|av[ií]sa(nos| al equipo del sitio)|cont[aá]ct(a|anos)\b|respond(e|er) a este|write to (us|the (site|team))|contact (us|the)|let us know|(answer|reply to) this/i;

/** Mails that ask somebody to write to the team where it has a mailbox. */
export const MAILS_THAT_ASK: readonly string[] = [
  'accountRemoved',
  'accountViewed',
  'emailChanged',
  'orderReturned',
  'passkeyChanged',
  'refund',
  'secondFactorChanged',
];
