// What authors are mailed about decisions on their texts, in their language and with links into it.
import { expect, it } from 'vitest';
import { renderMail } from '#server/mail/templates.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ given: { forumReview: true } });
const admins = await Promise.all([1, 2].map(() => app.member({ role: 'admin' })));
const [one, other] = admins.map((admin) => app.as(admin));
const REASON = { rule: 'spam', reason: 'It is an advertisement.' } as const;

async function englishAuthor({ trusted }: { trusted: boolean }) {
  const nick = await app.member({ verified: true });
  // Not new to the forum: the texts of new members wait for a review.
  if (trusted) await one?.forum.setTrust({ userId: nick.id, level: 2, reason: 'Known' });
  await app.as(nick).notifications.setReader({ locale: 'en', zone: 'UTC', quiet: null });
  const mailOf = async (subject: RegExp) =>
    (await app.deliverMails()).find((mail) => mail.to === nick.email && subject.test(mail.subject ?? ''))?.text ?? '';
  return { nick, api: app.as(nick), mailOf };
}

/** Appeals the author's only removal, which another admin decides. */
async function appealed({ api }: Awaited<ReturnType<typeof englishAuthor>>, outcome: 'upheld' | 'reversed') {
  const [removal] = await api.forum.myRemovals();
  const id = removal?.id ?? '';
  await api.forum.appeal({ id, text: 'It is none, please look again.' });
  await other?.admin.forum.decideAppeal({ id, outcome, answer: 'Read again.' });
}

const LINK = /:\/\/[^/]+\/en\/moderation\n/;

it.each([
  ['upheld', 'The text stays removed.'],
  ['reversed', 'The text is shown again, unless'],
] as const)('a removed text is mailed to its author, and so is its appeal that is %s', async (outcome, sentence) => {
  const author = await englishAuthor({ trusted: true });
  const { id } = await author.api.forum.create({ title: 'A note', content: 'Buy it now.' });
  await one?.forum.deletePost({ id, ...REASON });
  const removed = await author.mailOf(/^We removed a text/);
  expect(removed).toContain('Reason: It is an advertisement. You may');
  expect(removed).toMatch(LINK);
  await appealed(author, outcome);
  const answer = await author.mailOf(/^Answer to your appeal/);
  expect(answer).toContain(sentence);
  expect(answer).toMatch(LINK);
});

it.each([
  ['upheld', 'The text stays unpublished.'],
  ['reversed', 'The text is published, unless'],
] as const)('a declined text is mailed to its author, and so is its appeal that is %s', async (outcome, sentence) => {
  const author = await englishAuthor({ trusted: false });
  const { id } = await author.api.forum.create({ title: 'A first note', content: 'Buy it now.' });
  await one?.forum.decline({ id, ...REASON });
  expect(await author.mailOf(/^We did not publish a text/)).toMatch(LINK);
  await appealed(author, outcome);
  const answer = await author.mailOf(/^Answer to your appeal/);
  expect(answer).toContain(sentence);
  expect(answer).not.toMatch(/removed|shown again/);
});

it('releasing a comment on a post that was removed since notifies nobody', async () => {
  const [author, newcomer] = [await englishAuthor({ trusted: true }), await englishAuthor({ trusted: false })];
  const { id: postId } = await author.api.forum.create({ title: 'A note', content: 'Read it.' });
  const { id } = await newcomer.api.forum.comment({ postId, content: `Thank you, @${author.nick.username}` });
  await one?.forum.deletePost({ id: postId, ...REASON });
  await one?.forum.release({ id });
  const kindsOf = async ({ api }: typeof author) => (await api.notifications.list({})).items.map(({ kind }) => kind);
  expect(await kindsOf(newcomer)).toEqual([]);
  expect(await kindsOf(author)).toEqual(['decisions']);
});

it('the answer to an appeal says that the remover decided alone, also about a text that was never public', () => {
  const of = (unseen: boolean) =>
    renderMail(
      'appealAnswered',
      { title: 'Luna', outcome: 'upheld', answer: 'No', decidedAlone: true, unseen, path: '/moderation' },
      'es',
      'https://florka.test',
    ).text;
  expect(of(false)).toContain('la misma persona que retiró el texto');
  expect(of(true)).toContain('la misma persona que rechazó el texto');
  expect(of(true)).toContain('El texto sigue sin publicarse.');
});
