// Shared by the tests of rights: kinds of people, records of theirs to call procedures on, and outcomes as words.
import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { contract } from '#contract/index.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import type { Person, TestApp } from './test-app.ts';

/** 'ok', or the code of the failure. */
export type Answer = 'ok' | (string & {});
/**
 * `moderating`: an admin with the staff role for moderation only; `narrowed`: an admin of another part of the back
 * office.
 */
export type Column = 'visitor' | 'member' | 'moderator' | 'admin' | 'bare' | 'moderating' | 'narrowed';

export function* namesOf(node: object, path: string[] = []): Generator<string> {
  if (isContractProcedure(node as AnyContractProcedure)) yield path.join('.');
  else for (const [name, child] of Object.entries(node)) yield* namesOf(child as object, [...path, name]);
}
/** Every procedure of the API. */
export const NAMES = [...namesOf(contract)];

/** Makes the same call as each kind of person, each time on a new record. */
export function accessSetup(app: TestApp) {
  let serial = 0;
  const address = () => `199.${19 + Math.floor(++serial / 250)}.${serial % 250}.7`;
  const email = () => `access${++serial}@florka.test`;
  const words = () => `Words ${++serial}`;
  const postBy = async ({ id }: Person, hidden = false): Promise<string> => {
    const [row] = await app.sql<{ id: string }>(
      'insert into forum_posts (title, content, forum_user_id, created_at, is_hidden) values ($1, $1, $2, $3, $4) returning id',
      [words(), id, app.now, hidden],
    );
    return row?.id ?? '';
  };
  const commentBy = async (author: Person): Promise<string> => {
    const postId = await postBy(await app.member());
    const [row] = await app.sql<{ id: string }>(
      'insert into forum_comments (post_id, user_id, content, created_at) values ($1, $2, $3, $4) returning id',
      [postId, author.id, words(), app.now],
    );
    await app.sql('update forum_posts set comment_count = 1 where id = $1', [postId]);
    return row?.id ?? '';
  };
  const candidate = async (over: Record<string, unknown> = {}) => (await app.candidate(over)).id;
  const votedBy = async (person: Person): Promise<string> => {
    const candidateId = await candidate();
    await app.as(person).voting.cast({ candidateId });
    return candidateId;
  };
  const draftBy = (person: Person | null) =>
    app.as(person, { address: address() }).tokenRequests.create({ data: COMPLETE });
  const submissionBy = (person: Person | null) =>
    app.as(person, { address: address() }).submissions.create({
      projectName: 'Ajolote',
      symbol: 'AJO',
      description: 'Un token de lago.',
      submitterName: 'Ana',
      submitterEmail: email(),
      resemblanceAccepted: true,
    });

  /** Repeats the step-up, which a change of role invalidates. */
  const proved = ({ id }: Person) => app.sql('update sessions set proved_at = now() where user_id = $1', [id]);
  let other: Promise<Person> | undefined;
  const spoiled = (change: string) => async () => {
    // The last admin cannot be removed, and several of these are created concurrently.
    other ??= app.member({ role: 'admin' });
    await other;
    const person = await app.member({ role: 'admin' });
    await app.sql(change, [person.id]);
    await proved(person);
    return person;
  };
  const PEOPLE: [who: string, column: Column, make: () => Promise<Person | null>][] = [
    ['a visitor', 'visitor', async () => null],
    ['a member', 'member', () => app.member()],
    [
      'a member without a forum profile',
      'bare',
      async () => {
        const person = await app.member();
        await app.sql('delete from forum_users where new_auth_user_id = $1', [person.id]);
        return person;
      },
    ],
    ['a moderator', 'moderator', () => app.member({ role: 'moderator' })],
    [
      'a moderator who was demoted a moment ago',
      'member',
      async () => {
        const person = await app.member({ role: 'moderator' });
        await app.as(person).auth.me();
        await app.sql(`update user_roles set role = 'user' where user_id = $1`, [person.id]);
        await proved(person);
        return person;
      },
    ],
    [
      'somebody whose wish to moderate is pending',
      'member',
      async () => {
        const person = await app.member();
        await app.sql(
          `update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`,
          [person.id],
        );
        return person;
      },
    ],
    ['an admin', 'admin', () => app.member({ role: 'admin' })],
    ['an admin of moderation', 'moderating', () => app.member({ role: 'admin', staffRoles: ['moderator'] })],
    ['an editor', 'narrowed', () => app.member({ role: 'admin', staffRoles: ['editor'] })],
    [
      'an owner who was narrowed to finance and support a moment ago',
      'narrowed',
      spoiled(`update admin_profiles set staff_roles = '{finance,support}' where id = $1`),
    ],
    ['an admin who lost the profile a moment ago', 'member', spoiled('delete from admin_profiles where id = $1')],
    ['an admin who is disabled', 'visitor', spoiled(`update users set banned_until = 'infinity' where id = $1`)],
    ['an admin whose session was revoked', 'visitor', spoiled('delete from sessions where user_id = $1')],
    [
      'an admin whose session ran out',
      'visitor',
      spoiled(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`),
    ],
  ];

  return {
    address,
    email,
    words,
    postBy,
    commentBy,
    candidate,
    votedBy,
    draftBy,
    submissionBy,
    PEOPLE,
  };
}

export const answerTo = (promise: Promise<unknown>): Promise<Answer> =>
  promise.then(
    () => 'ok',
    (error: { code?: string; message?: string }) => error.code ?? `failed: ${error.message}`,
  );
