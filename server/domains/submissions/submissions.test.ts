import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { DRAFT_IMAGES, type UploadedImage } from '#contract/domains/media.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ supportEmail: 'ayuda@florka.test', trustProxy: 1 });
let serial = 0;
const guest = (at?: Parameters<typeof app.as>[1]) => app.as(null, { address: `10.5.${++serial}.1`, ...at });
/** Every submission is about a different project. */
const form = (over: object = {}) => ({
  projectName: 'Luna',
  symbol: 'LUN',
  description: 'Una luna.',
  submitterName: 'Ana',
  submitterEmail: `ana${++serial}@florka.test`,
  ...over,
});
const rows = (email: string) => app.sql('select * from project_submissions where submitter_email = $1', [email]);
const newClaim = () => randomBytes(32).toString('base64url');
const SOLANA = 'So11111111111111111111111111111111111111112';

describe('a submission [AMB-82]', () => {
  it('is received with a record number, a private status page and a mail', async () => {
    const input = form({ network: 'solana', address: SOLANA, websiteUrl: 'https://luna.test/' });
    const made = await guest().submissions.create(input);
    expect(made.reference).toMatch(/^PR-[0-9A-Z]{10}$/);
    const [row] = await rows(input.submitterEmail);
    expect(row).toMatchObject({
      submitter_name: 'Ana',
      status: 'new',
      reviewed_at: null,
      locale: 'es',
      project_data: {
        projectName: 'Luna',
        symbol: 'LUN',
        network: 'solana',
        address: SOLANA,
        description: 'Una luna.',
        websiteUrl: 'https://luna.test/',
        telegramUrl: '',
        twitterUrl: '',
        discordUrl: '',
        imageUrl: '',
      },
    });
    expect(await app.as().submissions.read({ id: made.id, key: made.key })).toEqual({
      id: made.id,
      reference: made.reference,
      status: 'new',
      projectName: 'Luna',
      symbol: 'LUN',
      createdAt: made.createdAt,
      reviewedAt: null,
      answer: null,
      supportEmail: 'ayuda@florka.test',
    });
    await app.sql("update project_submissions set status = 'approved', reviewed_at = $2 where id = $1", [
      made.id,
      app.now,
    ]);
    expect(await app.as().submissions.read({ id: made.id, key: made.key })).toMatchObject({ status: 'approved' });
    expect(
      await app.sql("select after from audit_events where action = 'submission.created' and resource_id = $1", [
        made.id,
      ]),
    ).toEqual([{ after: { reference: made.reference, project: 'Luna' } }]);
    const mail = (await app.deliverMails()).find(({ to }) => to === input.submitterEmail);
    expect(mail?.subject).toBe(`Tu solicitud ${made.reference}`);
    expect(mail?.text).toContain(`http://florka.test/submission/${made.id}#${made.key}`);
    // A mistyped mailbox gets no data about the project.
    expect(mail?.text).not.toContain('Luna');
  });

  it('can be read with its own key only', async () => {
    const [one, two] = [await guest().submissions.create(form()), await guest().submissions.create(form())];
    for (const key of [two.key, 'x'.repeat(43), `${one.key}x`, 'short', ''])
      await expect(app.as().submissions.read({ id: one.id, key })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each<[object, string[]]>([
    [{ projectName: '' }, ['projectName']],
    [{ projectName: '\u200b\u200b' }, ['projectName']],
    [{ submitterName: '\u2060' }, ['submitterName']],
    [{ submitterEmail: 'a b@c.de' }, ['submitterEmail']],
    [{ submitterEmail: 'ana' }, ['submitterEmail']],
    [{ description: ' ' }, ['description']],
    [{ symbol: 'ELEVENSIGNS' }, ['symbol']],
    [{ symbol: 'ñan$du-123' }, ['symbol']],
    [{ twitterUrl: 'javascript:alert(1)' }, ['twitterUrl']],
    [{ websiteUrl: 'luna.test', discordUrl: 'ftp://x.test' }, ['websiteUrl', 'discordUrl']],
    [{ imageUrl: 'data:image/png;base64,x' }, ['imageUrl']],
    [{ imageUrl: `/media/${'0'.repeat(32)}.webp` }, ['imageUrl']],
    [{ address: SOLANA }, ['network']],
    [{ network: 'dogechain', address: 'D1' }, ['network']],
    [{ network: 'ethereum', address: SOLANA }, ['address']],
    [{ network: 'ethereum', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD' }, ['address']],
  ])('is refused with %j, and the error names %j', async (over, fields) => {
    const input = form(over);
    const response = await app.post('/api/submissions', input, {
      headers: { 'x-forwarded-for': `10.4.${++serial}.1` },
    });
    expect(response.status).toBe(400);
    const { data } = (await response.json()) as { data: { issues: { path: string[] }[] } };
    expect([...new Set(data.issues.map(({ path }) => path[0]))]).toEqual(fields);
    expect(await rows(input.submitterEmail)).toEqual([]);
  });

  it.each([{ status: 'approved' }, { admin_notes: 'x' }, { reference: 'PR-0000000000' }, { reviewedAt: null }])(
    'refuses the internal field %j',
    async (over) => {
      const response = await app.post('/api/submissions', form(over), {
        headers: { 'x-forwarded-for': `10.4.${++serial}.1` },
      });
      expect(response.status).toBe(400);
    },
  );

  it('is limited to five an hour from one address, a refused duplicate included, and the error has the time to wait', async () => {
    const address = '10.6.0.1';
    const first = form();
    await guest({ address }).submissions.create(first);
    await expect(guest({ address }).submissions.create(first)).rejects.toMatchObject({ code: 'DUPLICATE' });
    for (let i = 0; i < 3; i++) await guest({ address }).submissions.create(form());
    app.pass(61_000);
    const input = form();
    await expect(guest({ address }).submissions.create(input)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      data: { retryAfter: 3_539 },
    });
    app.pass(3_600_000);
    await guest({ address }).submissions.create(input);
  });

  it('can be turned off by the operator', async () => {
    expect(await app.as().submissions.state()).toEqual({ open: true, supportEmail: 'ayuda@florka.test' });
    await app.sql("insert into settings (key, value) values ('publicSubmissions', 'false')");
    expect(await app.as().submissions.state()).toMatchObject({ open: false });
    await expect(guest().submissions.create(form())).rejects.toMatchObject({ code: 'SUBMISSIONS_CLOSED' });
    expect((await upload(newClaim())).status).toBe(401);
    await app.sql("update settings set value = 'true' where key = 'publicSubmissions'");
    expect((await guest().submissions.create(form())).reference).toBeTruthy();
  });
});

describe('a repeated submission', () => {
  it('is stored once when its form sends it several times, also at once and from two processes', async () => {
    const other = await app.secondProcess();
    const attempt = crypto.randomUUID();
    const input = form({ attempt });
    const answers = await Promise.all([
      guest().submissions.create(input),
      guest({ at: other }).submissions.create(input),
      guest().submissions.create(input),
      guest({ at: other }).submissions.create(input),
    ]);
    answers.push(await guest().submissions.create(input));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await rows(input.submitterEmail)).toHaveLength(1);
    // A retry after a lost response does not count for the hourly limit.
    for (let i = 0; i < 7; i++) {
      app.pass(61_000);
      await guest({ address: '10.6.1.1' }).submissions.create(input);
    }
  });

  it('is refused from the same applicant while the first is pending, and accepted from others and later', async () => {
    const input = form({ network: 'solana', address: SOLANA });
    const made = await guest().submissions.create(input);
    const refused = { code: 'DUPLICATE', status: 409, data: { fields: ['projectName'] } };
    const shout = {
      ...input,
      projectName: ' LUNA ',
      symbol: 'lun',
      submitterEmail: input.submitterEmail.toUpperCase(),
    };
    await expect(guest().submissions.create({ ...input, address: '', network: '' })).rejects.toMatchObject(refused);
    await expect(guest().submissions.create({ ...shout, address: '', network: '' })).rejects.toMatchObject(refused);
    await expect(guest().submissions.create({ ...input, projectName: 'Otro', symbol: 'OTR' })).rejects.toMatchObject(
      refused,
    );
    // Nobody can block another's project by submitting first.
    await guest().submissions.create({ ...input, submitterEmail: 'other@florka.test' });
    await app.sql("update project_submissions set status = 'rejected' where id = $1", [made.id]);
    await guest().submissions.create(input);
  });

  it('is refused with the same contract address in another case, where case is insignificant', async () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const input = form({ network: 'ethereum', address });
    await guest().submissions.create(input);
    const again = { ...input, projectName: 'Otra luna', symbol: 'OTR' };
    await expect(guest().submissions.create({ ...again, address: address.toLowerCase() })).rejects.toMatchObject({
      code: 'DUPLICATE',
    });
    await guest().submissions.create({ ...again, network: 'polygon' });
  });

  it('is stored once when several forms send it at once', async () => {
    const input = form();
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => guest().submissions.create(input)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await rows(input.submitterEmail)).toHaveLength(1);
  });

  it('sends few mails to one mailbox, which somebody else may have typed', async () => {
    const submitterEmail = 'victim@florka.test';
    for (let i = 0; i < 6; i++) await guest().submissions.create(form({ projectName: `P${i}`, submitterEmail }));
    expect((await app.deliverMails()).filter(({ to }) => to === submitterEmail)).toHaveLength(3);
  });
});

const png = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#fb2' } })
  .png()
  .toBuffer();

async function upload(claim: string, headers: Record<string, string> = {}) {
  const response = await app.http('/uploads?bucket=token-images', {
    method: 'POST',
    headers: {
      'content-type': 'image/png',
      'x-claim': claim,
      'x-forwarded-for': `10.3.${++serial % 250}.1`,
      ...headers,
    },
    body: new Uint8Array(png),
  });
  return { status: response.status, image: (await response.json()) as UploadedImage & { code?: string } };
}

describe('the image of a submission', () => {
  it('is uploaded without an account, can be used by its form alone, and is retained', async () => {
    const claim = newClaim();
    const { status, image } = await upload(claim);
    expect(status).toBe(201);
    const thief = form({ imageUrl: image.url, claim: newClaim() });
    await expect(guest().submissions.create(thief)).rejects.toMatchObject({
      status: 400,
      data: { issues: [{ path: ['imageUrl'] }] },
    });
    const input = form({ imageUrl: image.url, claim });
    await guest().submissions.create(input);
    expect((await rows(input.submitterEmail))[0]).toMatchObject({ project_data: { imageUrl: image.url } });
    app.pass(49 * 3_600_000);
    await app.services.media.clean({ now: app.now, deletedOnly: false });
    expect((await app.http(image.url)).status).toBe(200);
    // A used image can't be removed by the form.
    expect(await guest().submissions.removeImage({ id: image.id, claim })).toEqual({ removed: false });
  });

  it('of a member belongs to the member, with or without a claim', async () => {
    const ana = await app.member();
    const { status, image } = await upload('', { cookie: ana.cookie });
    expect(status).toBe(201);
    await app.as(ana).submissions.create(form({ imageUrl: image.url, claim: newClaim() }));
  });

  it('is removed by its own form, and by nobody else', async () => {
    const claim = newClaim();
    const { image } = await upload(claim);
    const remove = (of: string) => guest().submissions.removeImage({ id: image.id, claim: of });
    await expect(remove(newClaim())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await remove(claim)).toEqual({ removed: true });
    await expect(remove(claim)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is one of few per form, also for concurrent uploads', async () => {
    const claim = newClaim();
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(claim)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(DRAFT_IMAGES.files);
    expect(answers.filter(({ status }) => status === 409).map(({ image }) => image.code)).toContain('DRAFT_FULL');
  });

  it.each(['', 'short', 'x'.repeat(44), `${'x'.repeat(42)}!`])('needs a complete claim, not %j', async (claim) => {
    expect((await upload(claim)).status).toBe(401);
  });
});
