import { commentBox, newPost, note, open, sendButton, test, words, write } from './forum-board.ts';
import { expect, expectNotice, heldRequest, otherBrowser } from './support.ts';

// Input survives answers of the server that arrive while it is typed.

test('input typed while a post or a comment is being sent is kept', async ({ page, context, member }) => {
  await member(context);
  await open(page);
  const title = words();
  await write(page, title, 'Una frase');
  const publish = await heldRequest(page, '**/rpc/forum/create');
  await newPost(page).locator('button[type=submit]').click();
  await newPost(page).getByLabel('Contenido').fill('Una frase y otra');
  publish();
  await expectNotice(page, '¡Post creado!');
  await expect(newPost(page).getByLabel('Contenido')).toHaveValue('Una frase y otra');
  await expect(note(page, title).getByText('Una frase', { exact: true })).toBeVisible();

  const post = note(page, title);
  const box = await commentBox(post);
  await box.fill('Un comentario');
  const comment = await heldRequest(page, '**/rpc/forum/comment');
  await sendButton(post).click();
  await box.fill('Un comentario y otro');
  comment();
  await expectNotice(page, 'Comment posted!');
  await expect(post.getByText('Un comentario', { exact: true })).toBeVisible();
  await expect(box).toHaveValue('Un comentario y otro');
});

test('an unsaved edit of a post or a comment is kept when the session has ended', async ({
  page,
  context,
  pageErrors,
  member,
  seed,
}) => {
  pageErrors.expectStatus(401);
  const ana = await member(context);
  const title = words();
  await seed(ana, { title, content: 'Antes' });
  await open(page);
  const post = note(page, title);
  const box = await commentBox(post);
  await box.fill('Un comentario');
  await sendButton(post).click();
  await expectNotice(page, 'Comment posted!');

  const forms = page.getByRole('article').locator('form');
  const postForm = forms.filter({ has: page.getByLabel('Título') });
  const commentForm = forms.filter({ hasNot: page.getByLabel('Título'), hasText: 'Guardar' });
  await post.getByRole('button', { name: `Editar el comentario de ${ana.username}` }).click();
  await commentForm.getByLabel('Contenido').fill('Un comentario mejor');
  await page.getByRole('button', { name: `Editar el post «${title}»` }).click();
  await postForm.getByLabel('Contenido').fill('Después');

  const cookies = await context.cookies();
  await context.clearCookies();
  await postForm.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'No se pudieron guardar los cambios', 'Usuario no autenticado');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toBeVisible();
  await expect(postForm.getByLabel('Contenido')).toHaveValue('Después');
  await expect(commentForm.getByLabel('Contenido')).toHaveValue('Un comentario mejor');

  await context.addCookies(cookies);
  await postForm.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Cambios guardados');
  await expect(note(page, title).getByText('Después', { exact: true })).toBeVisible();

  // Not saved yet: it survives a reload, until it is cancelled.
  await page.reload();
  const editComment = async () => {
    await commentBox(note(page, title));
    await page.getByRole('button', { name: `Editar el comentario de ${ana.username}` }).click();
  };
  await editComment();
  await expect(commentForm.getByLabel('Contenido')).toHaveValue('Un comentario mejor');
  await commentForm.getByRole('button', { name: 'Cancelar' }).click();
  await page.reload();
  await editComment();
  await expect(commentForm.getByLabel('Contenido')).toHaveValue('Un comentario');
});

test('a new post is not announced to its own author while it is being sent', async ({
  page,
  context,
  member,
  browser,
}) => {
  await member(context);
  const visitor = await otherBrowser(browser);
  const theirs = await visitor.newPage();
  await open(theirs);
  await open(page);
  const title = words();
  await write(page, title, 'Una frase');
  await page.evaluate(() => {
    const announced: string[] = [];
    Object.assign(globalThis, { announced });
    const status = document.querySelector('#posts > [role=status]');
    if (status)
      new MutationObserver(() => announced.push(status.textContent ?? '')).observe(status, {
        childList: true,
        subtree: true,
      });
  });
  // Published, and everybody is notified, before the answer arrives.
  let answer = () => {};
  const announced = new Promise<void>((done) => {
    answer = done;
  });
  await page.route('**/rpc/forum/create', async (route) => {
    const response = await route.fetch();
    await announced;
    await route.fulfill({ response });
  });
  await newPost(page).locator('button[type=submit]').click();
  await expect(theirs.getByRole('button', { name: '1 nueva', exact: true })).toBeVisible();
  answer();
  await expectNotice(page, '¡Post creado!');
  await expect(note(page, title)).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as { announced: string[] }).announced)).toEqual([]);
});
