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
  ledger: { path: '/ledger', call: null },
  scheduleNews: { path: '/admin/news', call: 'news.list' },
  previewLink: { path: '/admin/news', call: 'news.list' },
  projectVersions: { path: '/admin/projects', call: 'projects.list' },
  deleted: { path: '/admin/projects', call: 'projects.list' },
  replaceImage: { path: '/admin/media', call: 'media.list' },
  findPerson: { path: '/admin/people', call: 'people.find' },
  seeAsPerson: { path: '/admin/people', call: 'people.find' },
  mailFate: { path: '/admin/people', call: 'people.find' },
  banMember: { path: '/admin/complete-users', call: 'users.list' },
  removeAccount: { path: '/admin/complete-users', call: 'users.remove' },
  endSessions: { path: '/admin/complete-users', call: 'users.revokeSessions' },
  newUser: { path: '/admin/complete-users', call: 'users.create' },
  whoChanged: { path: '/admin/audit', call: 'audit.names' },
  giveRole: { path: '/admin/users', call: 'roles.assign' },
  hideText: { path: '/admin/forum', call: 'forum.list' },
  appeals: { path: '/admin/inbox', call: 'inbox.list' },
  suspectVotes: { path: '/admin/vote-review', call: 'voteReview.list' },
  findOrder: { path: '/admin/token-creation', call: 'tokenRequests.list' },
  refund: { path: '/admin/refunds', call: 'refunds.list' },
  proveDelivery: { path: '/admin/deliverables', call: 'deliverables.list' },
  unplacedMoney: { path: '/admin/token-creation', call: 'unplaced.list' },
  incomeCsv: { path: '/admin/money', call: 'money.list' },
  funnel: { path: '/admin/reports', call: 'funnel.list' },
  visits: { path: '/admin/reports', call: 'pageViews.list' },
  priceNotes: { path: '/admin/settings#prices', call: 'settings.save' },
  sitePages: { path: '/admin/site-pages', call: 'sitePages.list' },
  siteName: { path: '/admin/settings#site', call: 'settings.save' },
  telegram: { path: '/admin/settings#telegram', call: 'settings.save' },
  networkOff: { path: '/admin/networks', call: 'networks.update' },
  mailServer: { path: '/admin/settings#mail', call: 'settings.save' },
  testMail: { path: '/admin/settings#mail', call: 'settings.testMail' },
  waiting: { path: '/admin/inbox', call: 'inbox.list' },
  overdueMail: { path: '/admin/settings#mail', call: 'settings.save' },
  health: { path: '/admin/doctor', call: 'settings.doctor' },
  listViews: { path: '/admin/complete-users', call: 'users.list' },
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

/** The tasks that some typed words mean: each of them begins a word of the task. */
export function tasksFor(typed: string, texts: Texts, may: (call: AdminProcedure) => boolean): TaskName[] {
  const wanted = wordsIn(typed).filter((word) => word.length >= WORD_MIN);
  if (wanted.length === 0) return [];
  return (Object.keys(TASKS) as TaskName[])
    .filter((task) => {
      const { call } = TASKS[task];
      if (call !== null && !may(call)) return false;
      const known = wordsIn(`${texts[task].name} ${texts[task].words}`);
      return wanted.every((word) => known.some((one) => one.startsWith(word)));
    })
    .slice(0, SHOWN);
}
