import type { TextOf } from '#app/lib/i18n/i18n.tsx';
import type { adminTaskTexts } from '#app/lib/messages/admin/tasks.ts';
import type { AdminProcedure } from '#contract/domains/admin.ts';

type Texts = TextOf<typeof adminTaskTexts>['tasks'];
export type TaskName = keyof Texts;

/** The screen of each task, and the procedure that the user needs the right to call; null for all staff. */
export const TASKS: Record<TaskName, { path: string; call: AdminProcedure | null }> = {
  supportAddress: { path: '/admin/settings#site', call: 'settings.save' },
  announcement: { path: '/admin/settings#announcement', call: 'settings.save' },
  voteLimits: { path: '/admin/settings#votes', call: 'settings.save' },
  roundCalendar: { path: '/admin/settings#rounds', call: 'settings.save' },
  closeRound: { path: '/admin/votes', call: 'rounds.closeEarly' },
  roundEnd: { path: '/admin/votes', call: 'rounds.setEnd' },
  newCandidate: { path: '/admin/votes', call: 'candidates.create' },
  moveLaunch: { path: '/admin/next-projects', call: 'nextProjects.update' },
  ledger: { path: '/ledger', call: null },
  scheduleNews: { path: '/admin/news', call: 'news.list' },
  previewLink: { path: '/admin/news', call: 'news.list' },
  projectVersions: { path: '/admin/projects', call: 'projects.list' },
  hideProject: { path: '/admin/projects', call: 'projects.list' },
  deleted: { path: '/admin/projects', call: 'projects.list' },
  replaceImage: { path: '/admin/media', call: 'media.list' },
  findPerson: { path: '/admin/people', call: 'people.find' },
  seeAsPerson: { path: '/admin/people', call: 'people.find' },
  mailFate: { path: '/admin/people', call: 'people.find' },
  banMember: { path: '/admin/complete-users', call: 'users.list' },
  correctMailbox: { path: '/admin/complete-users', call: 'users.update' },
  removeAccount: { path: '/admin/complete-users', call: 'users.remove' },
  endSessions: { path: '/admin/complete-users', call: 'users.revokeSessions' },
  newUser: { path: '/admin/complete-users', call: 'users.create' },
  whoChanged: { path: '/admin/audit', call: 'audit.names' },
  giveRole: { path: '/admin/users', call: 'roles.assign' },
  hideText: { path: '/admin/forum', call: 'forum.list' },
  firstTexts: { path: '/admin/settings#forum', call: 'settings.save' },
  appeals: { path: '/admin/inbox', call: 'inbox.list' },
  retention: { path: '/admin/settings#retention', call: 'settings.save' },
  suspectVotes: { path: '/admin/vote-review', call: 'voteReview.list' },
  findOrder: { path: '/admin/token-creation', call: 'tokenRequests.list' },
  unpaidOrders: { path: '/admin/token-creation', call: 'tokenRequests.list' },
  closeOrder: { path: '/admin/token-creation', call: 'tokenRequests.close' },
  createToken: { path: '/admin/token-creation', call: 'tokenRequests.createToken' },
  refund: { path: '/admin/refunds', call: 'refunds.list' },
  proveDelivery: { path: '/admin/deliverables', call: 'deliverables.list' },
  overdueDeliverables: { path: '/admin/deliverables', call: 'deliverables.list' },
  unplacedMoney: { path: '/admin/token-creation', call: 'unplaced.list' },
  compareProvider: { path: '/admin/settlement', call: 'settlement.list' },
  incomeCsv: { path: '/admin/money', call: 'money.list' },
  funnel: { path: '/admin/reports', call: 'funnel.list' },
  visits: { path: '/admin/reports', call: 'pageViews.list' },
  returningVoters: { path: '/admin/reports', call: 'retention.list' },
  moderationLoad: { path: '/admin/reports', call: 'moderationLoad.list' },
  priceNotes: { path: '/admin/settings#prices', call: 'settings.save' },
  sitePages: { path: '/admin/site-pages', call: 'sitePages.list' },
  siteName: { path: '/admin/settings#site', call: 'settings.save' },
  publicationRequests: { path: '/admin/settings#site', call: 'settings.save' },
  telegram: { path: '/admin/settings#telegram', call: 'settings.save' },
  networkOff: { path: '/admin/networks', call: 'networks.update' },
  mailServer: { path: '/admin/settings#mail', call: 'settings.save' },
  testMail: { path: '/admin/settings#mail', call: 'settings.testMail' },
  waiting: { path: '/admin/inbox', call: 'inbox.list' },
  overdueMail: { path: '/admin/settings#mail', call: 'settings.save' },
  health: { path: '/admin/doctor', call: 'settings.doctor' },
  listViews: { path: '/admin/complete-users', call: 'users.list' },
  bulkActions: { path: '/admin/projects', call: 'projects.list' },
  exportList: { path: '/admin/token-creation', call: 'tokenRequests.list' },
  payments: { path: '/admin/settings#payments', call: 'settings.save' },
  mine: { path: '/account', call: null },
};

/** How many tasks are listed at most: records come below them. */
const SHOWN = 5;

/** Without case and accents, as lists are searched. */
export const normalized = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const wordsIn = (text: string) =>
  normalized(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Words of two letters and less are prepositions and articles. */
const WORD_MIN = 3;
/** An ending, such as that of a plural, is at most this long, and what it follows at least MIN_STEM_LENGTH. */
const LONGEST_ENDING = 2;
const MIN_STEM_LENGTH = 4;

/** Whether a typed word begins a known one, or is a known one with an ending. */
const means = (typed: string, known: string) =>
  known.startsWith(typed) ||
  (known.length >= MIN_STEM_LENGTH && typed.length - known.length <= LONGEST_ENDING && typed.startsWith(known));

/**
 * The tasks that match typed words: those with every word; without one, those with most of them and at least half, so that a phrase with an
 * unknown word finds its task too. Text with an @ or a digit is a mailbox or a number: a task has to have every word of it.
 */
export function tasksFor(typed: string, texts: Texts, may: (call: AdminProcedure) => boolean): TaskName[] {
  const wanted = wordsIn(typed).filter((word) => word.length >= WORD_MIN);
  if (wanted.length === 0) return [];
  const found = (Object.keys(TASKS) as TaskName[])
    .filter((task) => {
      const { call } = TASKS[task];
      return call === null || may(call);
    })
    .map((task) => {
      const known = wordsIn(`${texts[task].name} ${texts[task].words}`);
      return { task, count: wanted.filter((word) => known.some((one) => means(word, one))).length };
    });
  const most = Math.max(0, ...found.map(({ count }) => count));
  const enough = /[@\d]/.test(typed) ? wanted.length : wanted.length / 2;
  if (most === 0 || most < enough) return [];
  return found
    .filter(({ count }) => count === most)
    .map(({ task }) => task)
    .slice(0, SHOWN);
}
