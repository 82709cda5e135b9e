// Helpers of the scenarios about the forum: posts in the database, and the parts of its screen.
import type { Locator, Page } from '@playwright/test';
import type pg from 'pg';
import { test as base, expect, listening, type Person, visit } from './support.ts';

let serial = 0;
export const words = () => `Prueba ${Date.now().toString(36)}${++serial}`;

/** Inserts a post directly, without the rate limit of its author; open screens receive the event unless `notify` is false. */
type Seed = (
  author: Person,
  over?: { title?: string; content?: string; ago?: string; notify?: boolean },
) => Promise<string>;

export const test = base.extend<{ seed: Seed }>({
  seed: ({ database }, use) =>
    use(async (author, over = {}) => {
      const { rows } = await database.query<{ id: string }>(
        `insert into forum_posts (title, content, forum_user_id, created_at)
         values ($1, $2, (select id from forum_users where new_auth_user_id = $3), now() - $4::interval) returning id`,
        [over.title ?? words(), over.content ?? 'Palabras.', author.id, over.ago ?? '0 s'],
      );
      const postId = rows[0]?.id ?? '';
      if (over.notify !== false) await notifyOfPost(database, postId, 'post.created');
      return postId;
    }),
});

/** Sends the event of a change that a scenario made in the database, so that caches of the site drop what they had read before it. */
export const notifyOfPost = (database: pg.Client, postId: string, type = 'post.changed') =>
  database.query(`select pg_notify('live', $1)`, [JSON.stringify({ type, postId })]);

export const note = (page: Page, title: string): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
export const reaction = (post: Locator, name: string) => post.getByRole('button', { name: new RegExp(`^${name}: `) });
export const sendButton = (post: Locator) => post.getByRole('button', { name: 'Comentar', exact: true });
/** Opens the form for a comment, which is rendered only then. */
export async function commentBox(post: Locator): Promise<Locator> {
  const box = post.getByRole('textbox');
  await expect(box).toHaveCount(0);
  await post.getByRole('button', { name: /^Comentar «/ }).click();
  await expect(box).toBeFocused();
  return box;
}
export const newPost = (page: Page) => page.getByRole('form', { name: 'Crear Nuevo Post' });
export const panel = (page: Page) => page.getByRole('region', { name: 'Usuarios en línea ahora' });
export const dialog = (page: Page) => page.getByRole('alertdialog');
/** A moderator's removal of somebody else's text. */
export async function fillRemovalReason(page: Page) {
  await dialog(page).getByLabel('Norma').selectOption('spam');
  await dialog(page).getByLabel('Motivo').fill('Publicidad');
}
export async function open(page: Page, path = '/forum') {
  await visit(page, path);
  await listening(page);
}
export async function write(page: Page, title: string, content: string) {
  await newPost(page).getByLabel('Título').fill(title);
  await newPost(page).getByLabel('Contenido').fill(content);
}
