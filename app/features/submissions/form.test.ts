import { describe, expect, it } from 'vitest';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import {
  BLANK,
  differsFrom,
  type Form,
  fieldErrorsOf,
  unchangedForm,
  withChange,
  withMember,
  withWholeLinks,
} from './form.ts';

const whole = {
  ...BLANK,
  projectName: 'Luna',
  symbol: 'LUN',
  description: 'Una luna.',
  submitterName: 'Ana',
  submitterEmail: 'ana@florka.test',
};

describe('the form of a submission', () => {
  it.each<[object, string[]]>([
    [{}, []],
    [BLANK, ['projectName', 'symbol', 'description', 'submitterName', 'submitterEmail']],
    [{ description: ' \n' }, ['description']],
    [{ submitterEmail: 'a b@c.de' }, ['submitterEmail']],
    [{ websiteUrl: 'luna.test' }, []],
    [{ websiteUrl: 'una luna' }, ['websiteUrl']],
    [{ symbol: 'ñan$du-123' }, ['symbol']],
    [{ symbol: 'ñandú7' }, []],
    [{ discordUrl: 'javascript:alert(1)' }, ['discordUrl']],
    [{ twitterUrl: 'https://x.com/luna' }, []],
    [{ address: 'x' }, ['network']],
    [{ network: 'ethereum', address: 'x' }, ['address']],
    [{ network: 'ethereum', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, []],
    [{ network: 'solana' }, []],
  ])('with %j has errors in %j', (over, fieldErrors) => {
    expect(fieldErrorsOf({ ...whole, ...over }, checksummed)).toEqual(fieldErrors);
  });

  it('accepts a link without https://, as the wizard does', () => {
    expect(withWholeLinks({ ...whole, websiteUrl: 'luna.test', twitterUrl: 'https://x.com/luna' })).toMatchObject({
      websiteUrl: 'https://luna.test',
      twitterUrl: 'https://x.com/luna',
      discordUrl: '',
    });
  });

  describe('of a signed-in member', () => {
    const ana = { username: 'ana', email: 'ana@florka.test' };
    /** The displayed fields after these changes, one after the other. */
    const shown = (...changes: Partial<Form>[]) =>
      withMember(
        changes.reduce((stored, over) => withChange(stored, { ...withMember(stored, ana), ...over }), unchangedForm()),
        ana,
      );

    it('has their name and e-mail', () => {
      expect(shown()).toEqual({ ...BLANK, submitterName: 'ana', submitterEmail: 'ana@florka.test' });
      expect(withMember(unchangedForm(), { ...ana, username: null })).toMatchObject({ submitterName: '' });
      expect(withMember(unchangedForm(), null)).toEqual(BLANK);
    });

    it('keeps prefilled values while other fields are edited, and leaves cleared ones empty', () => {
      expect(shown({ symbol: 'LUN' })).toMatchObject({ symbol: 'LUN', submitterName: 'ana' });
      expect(shown({ submitterName: '' })).toMatchObject({ submitterName: '', submitterEmail: 'ana@florka.test' });
      expect(shown({ submitterName: '' }, { submitterEmail: '' })).toEqual(BLANK);
    });
  });

  it('differs from the sent form by an edit since then, not by added https:// or spaces', () => {
    const sent = withWholeLinks({ ...whole, websiteUrl: 'luna.test' });
    expect(differsFrom(sent, { ...whole, websiteUrl: 'luna.test' })).toBe(false);
    expect(differsFrom(sent, { ...sent, description: `${whole.description} ` })).toBe(false);
    expect(differsFrom(sent, { ...sent, description: 'Una luna para cada uno.' })).toBe(true);
  });

  it('gets another idempotency key with every change, since an earlier page load may have sent the old one', () => {
    const stored = unchangedForm();
    const changed = withChange(stored, whole);
    expect(changed.attempt).not.toBe(stored.attempt);
    expect(withChange(changed, whole).attempt).not.toBe(changed.attempt);
  });
});
