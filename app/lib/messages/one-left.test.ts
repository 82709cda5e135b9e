import { expect, it } from 'vitest';
import { accountTexts } from './account.ts';
import { adminInboxTexts } from './admin/inbox.ts';
import { deliverablesTexts } from './deliverables.ts';

it.each(['es', 'en'] as const)('one of what is left is said as one: %s', (locale) => {
  const { left } = accountTexts[locale].account.second;
  const { codeWrong } = deliverablesTexts[locale].refunds;
  const { more } = adminInboxTexts[locale].inbox;
  for (const say of [left, codeWrong, (count: number) => more(String(count))]) {
    expect(say(1)).not.toMatch(/\b(Quedan|quedan|aparecen|codes|tries|are 1|they)\b/);
    expect(say(2)).toMatch(/\b(Quedan|quedan|aparecen|codes|tries|they)\b/);
  }
});
