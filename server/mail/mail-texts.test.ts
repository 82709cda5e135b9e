import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NOTIFICATION_DETAILS } from '#contract/domains/notifications.ts';
import { ASKS_TO_WRITE, MAILS_THAT_ASK } from '#tests/support/asks-to-write.ts';
import { type MailData, type MailTemplate, renderMail } from './templates.ts';
import { mailTexts } from './texts.ts';

/** Expiry of links and codes, where a test does not depend on it. */
const UNTIL = '2030-01-01T00:00:00.000Z';

/** Contrast ratio by WCAG, 1 to 21. */
function contrast(one: string, other: string): number {
  const light = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low = 0, high = 0] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

it('a mail has a contrast of 7:1, including small text, in light and dark mode', () => {
  const { html } = renderMail('verifyEmail', { path: '/verify?token=a', until: UNTIL }, 'es', 'https://florka.test');
  const [head = '', body = ''] = html.split('</style>');
  const colours = (text: string) => [...text.matchAll(/[";{]color:(#[0-9a-f]{6})/g)].map(([, colour = '']) => colour);
  // The text of the button is on amber.
  const onCard = (text: string) => colours(text).filter((colour) => colour !== '#1d1503');
  for (const [ground, found] of [
    ['#ffffff', onCard(body)],
    ['#171927', onCard(head).filter((colour) => colour !== '#ffb627')],
  ] as const) {
    expect(found.length).toBeGreaterThan(1);
    for (const colour of found) expect(contrast(colour, ground), `${colour} on ${ground}`).toBeGreaterThanOrEqual(7);
  }
  expect(contrast('#1d1503', '#ffb627')).toBeGreaterThanOrEqual(7);
});

describe('the texts', () => {
  const samples: { [T in MailTemplate]: MailData[T] } = {
    test: {},
    verifyEmail: { path: '/verify?token=a', until: UNTIL },
    changeEmail: { path: '/verify?token=a', until: UNTIL },
    emailChanged: { to: 'b@florka.test' },
    accountCreated: { path: '/reset?token=first', until: UNTIL },
    resetPassword: { path: '/reset?token=a', until: UNTIL },
    passwordChanged: {},
    signInCode: { code: '123456', until: UNTIL },
    secondFactorChanged: { on: false },
    passkeyChanged: { on: true },
    telegramLinked: { name: '@ana' },
    telegramUnlinked: {},
    walletChanged: { on: true, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    wrongPasswords: { attempts: 10 },
    signUpTried: {},
    newSignIn: { at: UNTIL, device: 'Firefox · Linux' },
    accountViewed: { at: UNTIL },
    accountRemoved: { by: 'member' },
    staffRefundHalted: { number: 'RF-0123456789', amount: '12.5 USDTTRC20', path: '/admin/refunds?q=RF-0123456789' },
    staffOverdue: { items: [{ source: 'report', title: 'Luna <b>', hours: 30 }], more: 2, path: '/admin/inbox' },
    weeklyReport: {
      from: '2026-11-16T00:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      views: { now: 3, before: 1 },
      arrivals: { now: 3, before: 1 },
      signUps: { now: 3, before: 1 },
      votes: { now: 3, before: 1 },
      posts: { now: 3, before: 1 },
      orders: { now: 3, before: 1 },
      revenueUsd: { now: 3, before: 1 },
      overdue: 2,
      path: '/admin/reports',
    },
    staffEmailAsked: { path: '/verify?token=a', until: UNTIL, to: 'b@florka.test' },
    staffAct: { action: 'role', actor: 'a@florka.test', target: 'b@florka.test' },
    textRemoved: {
      title: 'Luna',
      content: 'Compra ya <b>',
      rule: 'spam',
      reason: 'Tres veces lo mismo',
      path: '/moderation',
      appealUntil: UNTIL,
    },
    textDeclined: {
      title: 'Luna',
      content: 'Compra ya <b>',
      rule: 'spam',
      reason: 'Tres veces lo mismo',
      path: '/moderation',
      appealUntil: UNTIL,
    },
    appealAnswered: { title: 'Luna', outcome: 'reversed', answer: 'Tienes razón', path: '/moderation' },
    decision: { what: 'proof_ends', title: 'Luna', path: '/creator/project/a' },
    savedToken: { name: 'Luna', news: 'dateChanged', path: '/t', unsubscribePath: '/u' },
    notification: {
      kind: 'replies',
      detail: 'comment',
      actor: 'Ana',
      title: 'Luna <b>',
      count: 1,
      path: '/forum/a',
      unsubscribePath: '/u',
    },
    notificationDigest: {
      lines: [
        { kind: 'reactions', detail: 'post', actor: 'Ana', title: 'Luna', count: 3, path: '/forum/a' },
        { kind: 'rounds', detail: 'won', actor: null, title: 'Luna', count: 7, path: '/next' },
      ],
      more: 2,
      path: '/notifications',
      unsubscribePath: '/u',
    },
    orderOpened: { orderId: 'FL-0123456789', priceUsd: 50, path: '/order/a#b', simulation: false },
    tokenCreated: {
      orderId: 'FL-0123456789',
      name: 'Ajolote',
      symbol: 'AJO',
      owner: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      explorerUrl: 'https://etherscan.io/address/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      path: '/order/a#b',
      simulation: true,
    },
    tokenProposal: {
      changed: true,
      reminder: true,
      orderId: 'FL-0123456789',
      name: 'Ajolote',
      symbol: 'AJO',
      owner: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      network: 'ethereum',
      path: '/order/a#b',
      simulation: true,
    },
    orderLink: { orderId: 'FL-0123456789', path: '/order/a#b', simulation: true },
    requestClosed: {
      orderId: 'FL-0123456789',
      as: 'delivered',
      note: 'A <b>',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      path: '/order/a#b',
      simulation: false,
    },
    deliverables: {
      news: 'withdrawn',
      orderId: 'FL-0123456789',
      items: [{ item: 'liquidityPool', dueAt: '2027-01-03T00:00:00.000Z', evidence: null, ifNot: 'A <b>' }],
      note: 'A <b>',
      refund: 'RF-0123456789',
      path: '/order/a#b',
      simulation: true,
    },
    refund: {
      news: 'confirm',
      number: 'RF-0123456789',
      orderId: 'FL-0123456789',
      amount: '12.5 USDTTRC20',
      reason: 'A <b>',
      address: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj',
      transaction: null,
      code: '01234567',
      minutes: 30,
      path: '/order/a#b',
      simulation: true,
    },
    orderPaid: { orderId: 'FL-0123456789', priceUsd: 50, path: '/order/a#b', simulation: true },
    orderShort: {
      orderId: 'FL-0123456789',
      priceUsd: 50,
      path: '/order/a#b',
      simulation: true,
      receivedUsd: 29.5,
      missingUsd: 20.5,
    },
    orderReview: {
      orderId: 'FL-0123456789',
      priceUsd: 1_500,
      path: '/order/a#b',
      simulation: true,
      receivedUsd: 1_500,
      missingUsd: 0,
      plan: 'basic',
      replaced: true,
    },
    orderReturned: { orderId: 'FL-0123456789', priceUsd: 1_500, path: '/order/a#b', simulation: true, all: true },
    submissionReceived: { reference: 'PR-0123456789', path: '/submission/a#b' },
    submissionDecided: { reference: 'PR-0123456789', path: '/submission/a#b', status: 'rejected', answer: 'No <b>' },
  };
  const { refund, orderReturned } = samples;
  /** Kinds of a mail whose sentences differ. */
  const variants: { [T in MailTemplate]?: MailData[T][] } = {
    refund: (['opened', 'confirm', 'sent', 'withdrawn', 'returned'] as const).map((news) => ({ ...refund, news })),
    orderReturned: [true, false].map((all) => ({ ...orderReturned, all })),
    secondFactorChanged: [true, false].map((on) => ({ on })),
    passkeyChanged: [true, false].map((on) => ({ on })),
  };

  it.each(Object.keys(samples) as MailTemplate[])('of %s ask for mail only at a support mailbox', (template) => {
    let asking = false;
    for (const data of variants[template] ?? [samples[template]])
      for (const locale of ['es', 'en'] as const) {
        const written = (supportEmail: string | null) =>
          renderMail(template, data as never, locale, 'https://florka.test', 'Florka', { supportEmail }).text;
        expect(written(null)).not.toMatch(ASKS_TO_WRITE);
        expect(written(null)).not.toContain('null');
        for (const line of written('ayuda@florka.test').split('\n'))
          if (ASKS_TO_WRITE.test(line)) {
            asking = true;
            expect(line).toContain('ayuda@florka.test');
          }
      }
    expect(asking).toBe(MAILS_THAT_ASK.includes(template));
  });

  // The samples do not have every sentence, so this reads the sources.
  it('have no sentence that asks for mail without naming the mailbox', () => {
    const folder = new URL('./texts/', import.meta.url);
    const asking = readdirSync(folder).flatMap((file) =>
      readFileSync(new URL(file, folder), 'utf8')
        .split('\n')
        .filter((line) => ASKS_TO_WRITE.test(line) && !line.includes('mailbox}')),
    );
    expect(asking).toEqual([]);
  });

  it.each(Object.keys(samples) as MailTemplate[])('of %s are complete in both languages', (template) => {
    for (const locale of Object.keys(mailTexts) as ('es' | 'en')[]) {
      const { subject, text, html } = renderMail(template, samples[template], locale, 'https://florka.test');
      expect(subject).not.toBe('');
      for (const part of [subject, text, html]) expect(part).not.toMatch(/undefined|\[object|=>/);
      expect(text).toContain(mailTexts[locale].greeting);
    }
  });
});

it('each line of the daily mail links to its subject', () => {
  const line = { kind: 'rounds', detail: 'won', actor: null, count: 7 } as const;
  const { text, html } = renderMail(
    'notificationDigest',
    {
      lines: [
        { ...line, title: 'Luna', path: '/next?notice=a&b=1' },
        { ...line, title: 'Sol', path: '/vote?notice=b' },
      ],
      more: 2,
      path: '/notifications',
      unsubscribePath: '/u',
    },
    'en',
    'https://florka.test',
  );
  expect(text).toContain('Round 7 is over: Luna wins.\nhttps://florka.test/next?notice=a&b=1\n');
  expect(html).toMatch(/<a href="https:\/\/florka\.test\/vote\?notice=b"[^>]*>Round 7 is over: Sol wins\.<\/a>/);
  expect(html).toContain('<p>And 2 more.</p>');
});

it.each(['follows', 'rounds'] as const)('notifications of %s have a different sentence for each event', (kind) => {
  for (const locale of ['es', 'en'] as const) {
    const sentences = NOTIFICATION_DETAILS[kind].map((detail) => {
      // A round without a winner has no title.
      const title = detail === 'ended' ? null : 'Luna';
      return mailTexts[locale].notification.sentence({ kind, detail, actor: null, title, count: 7, path: '/t' });
    });
    expect(new Set(sentences).size, sentences.join(' ')).toBe(sentences.length);
  }
});

it('the mail about an attempted sign-up links to the sign-in page in its language', () => {
  const linkIn = (locale: 'es' | 'en') => renderMail('signUpTried', {}, locale, 'https://florka.test').text;
  expect(linkIn('es')).toContain('https://florka.test/auth\n');
  expect(linkIn('en')).toContain('https://florka.test/en/auth\n');
});

it('the mail about a changed password links to the sign-in page in its language', () => {
  const textIn = (locale: 'es' | 'en') => renderMail('passwordChanged', {}, locale, 'https://florka.test').text;
  expect(textIn('es')).toContain('https://florka.test/auth\n');
  expect(textIn('en')).toContain('https://florka.test/en/auth\n');
});

it('overdue work without a title is named by its source alone', () => {
  const items = [{ source: 'vote_cluster' as const, title: '', hours: 60 }];
  const textIn = (locale: 'es' | 'en') =>
    renderMail('staffOverdue', { items, more: 0, path: '/admin/inbox' }, locale, 'https://florka.test').text;
  expect(textIn('es')).toContain('\nVotos en revisión (2 días)\n');
  expect(textIn('en')).toContain('\nVotes under review (2 days)\n');
});

it('the mail about a sign-in from a new browser links to the account page in its language', () => {
  const linkIn = (locale: 'es' | 'en') =>
    renderMail('newSignIn', { at: '2026-11-28T10:00:00.000Z', device: '' }, locale, 'https://florka.test').text;
  expect(linkIn('es')).toContain('https://florka.test/account\n');
  expect(linkIn('en')).toContain('https://florka.test/en/account\n');
});

it('each decision has its own subject and text', () => {
  for (const locale of ['es', 'en'] as const) {
    const whats = Object.keys(mailTexts[locale].decision) as MailData['decision']['what'][];
    const mails = whats.map((what) =>
      renderMail('decision', { what, title: 'Luna', path: '/t' }, locale, 'https://florka.test'),
    );
    for (const of of ['subject', 'text'] as const)
      expect(new Set(mails.map((mail) => mail[of])).size).toBe(whats.length);
  }
});

describe('the mail about a refund', () => {
  const about = (amount: string, locale: 'es' | 'en') =>
    renderMail(
      'refund',
      {
        news: 'opened',
        number: 'RF-0123456789',
        orderId: 'FL-0123456789',
        amount,
        reason: 'No se puede entregar.',
        address: null,
        transaction: null,
        code: '',
        minutes: 30,
        path: '/order/a#b',
        simulation: false,
      },
      locale,
      'https://florka.test',
    ).text;
  it('formats amount, coin and network, with all digits', () => {
    expect(about('1200.016666666666666667 USDTTRC20', 'es')).toContain(
      'Te devolvemos 1.200,016666666666666667 USDT en la red Tron de tu pedido',
    );
    expect(about('0.01 ETH', 'en')).toContain('We give back 0.01 ETH on the Ethereum network of your order');
    // An unknown coin.
    expect(about('3 SHIBBSC2', 'es')).toContain('Te devolvemos 3 SHIBBSC2 de tu pedido');
  });

  it.each([
    ['es', true, 'Queda por devolver 3.000 USDT en la red Tron: sigue como devolución RF-2'],
    ['en', false, '3,000 USDT on the Tron network is still to go back: as refund RF-2. On the page of your order'],
  ] as const)('explains that the provider returned money, and what remains (%s)', (locale, ready, left) => {
    const data = {
      news: 'returned' as const,
      number: 'RF-1',
      orderId: 'FL-1',
      amount: '6000 USDTTRC20',
      reason: '',
      address: null,
      transaction: null,
      code: '',
      minutes: 30,
      path: '/order/a#b',
      simulation: false,
      rest: { number: 'RF-2', amount: '3000 USDTTRC20', ready },
    };
    const { text } = renderMail('refund', data, locale, 'https://florka.test');
    expect(text).toContain(left);
    expect(text).toContain(locale === 'es' ? 'por su cuenta' : 'by itself');
  });
});

it('a mention in a post whose title is withheld, as its author is blocked, does not name the post', () => {
  const line = { detail: 'comment', actor: 'Eva', title: '', count: 1, path: '/forum/1' };
  const { es, en } = mailTexts;
  expect([es, en].map(({ notification }) => notification.sentence({ ...line, kind: 'mentions' }))).toEqual([
    'Eva te menciona en una nota.',
    'Eva mentions you in a note.',
  ]);
});

it('the weekly report formats days and figures in its language', () => {
  const none = { now: 0, before: 0 };
  const rendered = (locale: 'es' | 'en') =>
    renderMail(
      'weeklyReport',
      {
        from: '2026-11-16T00:00:00.000Z',
        to: '2026-11-22T00:00:00.000Z',
        views: none,
        arrivals: none,
        signUps: none,
        votes: { now: 1905, before: 65 },
        posts: none,
        orders: none,
        revenueUsd: { now: 12_600.5, before: -1500 },
        overdue: 0,
        path: '/admin/reports',
      },
      locale,
      'https://florka.test',
    );
  const [es, en] = [rendered('es'), rendered('en')];
  expect(es.subject).toContain('16–22 nov 2026');
  expect(es.text).toContain('Votos: 1.905 (65)');
  expect(es.text).toContain('(USD): 12.600,5 (-1.500)');
  expect(en.subject).toMatch(/Nov 16\s–\s22, 2026/);
  expect(en.text).toContain('Votes: 1,905 (65)');
});
