import { expect, it } from 'vitest';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { DELIVERABLE_ITEMS } from '#contract/deliverables.ts';
import { planItems } from '#server/mail/plan-items.ts';

it('what a plan sells is called the same in mails and on screens', () => {
  for (const locale of ['es', 'en'] as const)
    for (const item of DELIVERABLE_ITEMS) expect(planItems[locale][item]).toBe(plansTexts[locale].plans.item[item]);
});
