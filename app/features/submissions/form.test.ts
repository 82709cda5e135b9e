import { describe, expect, it } from 'vitest';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { BLANK, fieldErrorsOf, withWholeLinks } from './form.ts';

const whole = {
  ...BLANK,
  projectName: 'Luna',
  symbol: 'LUN',
  description: 'Una luna.',
  submitterName: 'Ana',
  submitterEmail: 'ana@florka.test',
};

describe('the form of a publication request', () => {
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
  ])('%j: %j', (over, fieldErrors) => {
    expect(fieldErrorsOf({ ...whole, ...over }, checksummed)).toEqual(fieldErrors);
  });

  it('takes a link without its https:// as the wizard does', () => {
    expect(withWholeLinks({ ...whole, websiteUrl: 'luna.test', twitterUrl: 'https://x.com/luna' })).toMatchObject({
      websiteUrl: 'https://luna.test',
      twitterUrl: 'https://x.com/luna',
      discordUrl: '',
    });
  });
});
