import { describe, expect, it } from 'vitest';
import { asLink } from '#app/lib/forms/as-link.ts';
import { createTexts } from '#app/lib/messages/create.ts';
import { createLaterTexts } from '#app/lib/messages/create-later.ts';
import { es } from '#app/lib/messages/es.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import { PLANS } from '#contract/limits.ts';
import { firstError, invalidFields, isBadLink, prefilled, readLink } from './field-errors.ts';

const form = (over: Partial<DraftData> = {}): DraftData => ({
  ...EMPTY_DRAFT,
  tokenName: 'Ajolote',
  tokenSymbol: 'AJO',
  description: 'Un token de lago.',
  ownerWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  selectedNetwork: 'ethereum',
  petitionerEmail: 'ana@florka.test',
  petitionerTelegram: '@ana',
  ...over,
});

describe('leaving step 1', () => {
  it('checks token, symbol, creator and e-mail in this order, ignoring spaces around the values [CREATE-63..65] [AMB-62]', () => {
    expect(firstError(EMPTY_DRAFT)).toBe('token');
    expect(firstError(form({ tokenName: '   ', petitionerEmail: '' }))).toBe('token');
    for (const name of ['ownerWalletAddress', 'selectedNetwork', 'petitionerEmail', 'petitionerTelegram'] as const) {
      expect(firstError(form({ [name]: ' ' }))).toBe('creator');
      expect(invalidFields('creator', form({ [name]: '' }), [], checksummed)).toEqual([name]);
    }
    for (const petitionerEmail of ['ana', 'ana@florka', 'a na@florka.test', '@florka.test', 'ana@@florka.test'])
      expect(firstError(form({ petitionerEmail }))).toBe('email');
    expect(firstError(form({ petitionerEmail: ' ana@florka.test ' }))).toBeNull();
    // Once paid for, such a token could never be created [AMB-188].
    for (const tokenSymbol of ['$AJO', 'ñan$du-123', 'A B', '🚀'])
      expect(firstError(form({ tokenSymbol, petitionerEmail: 'ana' }))).toBe('symbol');
    expect(firstError(form({ tokenSymbol: ' ñandú7 ' }))).toBeNull();
    // The format of the address does not block the user here.
    expect(firstError(form({ ownerWalletAddress: 'x' }))).toBeNull();
  });

  it('marks the field of the wallet or the network for an error of the payment', () => {
    expect(invalidFields('wallet', form({ ownerWalletAddress: 'x' }), [], checksummed)).toEqual(['ownerWalletAddress']);
    expect(invalidFields('wallet', form(), [], checksummed)).toEqual([]);
    expect(invalidFields('network', form(), ['solana'], checksummed)).toEqual(['selectedNetwork']);
    expect(invalidFields('network', form(), ['ethereum'], checksummed)).toEqual([]);
  });

  it('copies links into empty fields of step 3, and overwrites nothing [AMB-59]', () => {
    const typed = form({ twitterUrl: 'https://x.com/a', telegramUrl: 'https://t.me/a', twitter: '@mine' });
    expect(prefilled(typed)).toEqual({ telegram: 'https://t.me/a' });
  });
});

describe('links', () => {
  it.each([
    ['florka.io', 'https://florka.io'],
    ['t.me/florka?x=1', 'https://t.me/florka?x=1'],
    [' x.com/florka ', 'https://x.com/florka'],
    ['https://florka.io', 'https://florka.io'],
    ['@florka', '@florka'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['dos palabras.io', 'dos palabras.io'],
    ['', ''],
  ])('%j becomes %j', (typed, link) => expect(asLink(typed)).toBe(link));

  it('may be empty, http or https, and nothing else [AMB-35]', () => {
    expect(['', ' ', 'http://a.test', 'https://a.test/b'].map(isBadLink)).toEqual([false, false, false, false]);
    expect(['javascript:1', '@a', 'ftp://a.test', 'https://'].map(isBadLink)).toEqual([true, true, true, true]);
  });

  it('of a draft contain its id, its secret and optionally a step', () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const secret = 'a'.repeat(43);
    expect(readLink(`#${id}.${secret}.3`)).toEqual({ id, secret, step: 3 });
    expect(readLink(`#${id}.${secret}`)).toEqual({ id, secret, step: null });
    for (const hash of ['', '#', '#x', `#${id}`, `#${id}.short`, `#${id}.${secret}.9`, `#${id}.${secret}.3x`])
      expect(readLink(hash)).toBeNull();
  });
});

describe('the texts of the wizard', () => {
  const create = { ...createTexts.es.create, ...createLaterTexts.es.create };
  it('are those of the specification [CREATE-01] [CREATE-54..55] [CREATE-61] [ERR-12] [ERR-16..23] [PAY-24]', () => {
    expect(create).toMatchObject({
      heading: 'CREATE YOUR TOKEN',
      process: 'Process Payment',
      error: 'Error',
      loadingNetworks: 'Cargando redes...',
      missing: {
        token: 'Please fill in token name, symbol, and description.',
        creator: 'Please fill in all required creator information: wallet address, network, email, and telegram.',
        email: 'Please enter a valid email address.',
      },
      token: { justSendIt: 'JustSendIt', advanced: 'Advanced', more: 'Socials & more options' },
      plan: { best: '¡MEJOR PRECIO!' },
      paymentAhead: {
        useCard: 'Please use the cryptocurrency payment button above to complete your transaction.',
      },
      pay: {
        check: 'Check Status',
        failed: 'Payment Creation Failed',
        failedText: 'Failed to create payment. Please try again.',
        noPage: 'Error creating payment',
        checkFailed: 'Status Check Failed',
        checkFailedText: 'Failed to check payment status.',
        noStatus: 'Error checking payment status',
        created: 'Payment Created!',
        confirmed: 'Payment Confirmed!',
        success: {
          title: 'Payment Successful!',
          text: 'Your token creation request has been submitted and will be processed by our admin team.',
        },
      },
    });
    expect(create.pay.status('waiting')).toBe('Current status: waiting');
    expect(create.pay.recordFailed.title).toBe('Payment Completed');
    expect(create.pay.recordFailed.text('77')).toBe(
      'Payment was successful but there was an issue saving the record. Please contact support with payment ID: 77',
    );
    expect(es.nav.create).toBe('Create');
  });

  it.each([
    ['entry', 50, ['basic token', 'technical support', 'liquidity', 'advertising', 'staking']],
    ['basic', 1_500, ['unique token', 'supply', '1 week in the spotlight', 'social', 'basic support', 'documentation']],
    [
      'standard',
      3_000,
      ['in basic', 'basic security audit', 'liquidity pool', '2 weeks of marketing', '30 days of support', 'analysis'],
    ],
    [
      'complete',
      5_000,
      [
        'in standard',
        'full audit',
        '1 month of marketing',
        'guaranteed listing',
        'governance',
        'dapps',
        '90 days of support',
        'whitepapers',
      ],
    ],
  ] as const)(
    'plan %s costs %i dollars and lists the specified items [PAY-01..04] [PAY-07..10] [AMB-51]',
    (plan, price, promised) => {
      const { priceUsd, items } = PLANS[plan];
      const messages = items.map((item) => plansTexts.en.plans.item[item].toLowerCase());
      expect(priceUsd).toBe(price);
      expect(messages).toEqual(promised.map((promise) => expect.stringContaining(promise)));
    },
  );

  it('name the items of the plans and no others, in both languages [AMB-51]', () => {
    expect(plansTexts.es.plans.item).toMatchObject({
      functionalToken: 'Token básico funcional',
      spotlightWeek: '1 semana en portada',
      marketingTwoWeeks: '2 semanas de marketing',
      supportThirtyDays: '30 días de soporte',
      marketingMonth: '1 mes de marketing',
      supportNinetyDays: '90 días de soporte',
    });
    for (const { plans } of [plansTexts.es, plansTexts.en])
      expect(Object.keys(plans.item).sort()).toEqual(
        Object.values(PLANS)
          .flatMap(({ items }) => [...items])
          .sort(),
      );
  });
});
