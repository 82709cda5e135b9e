import { PLAN_ITEM_NAMES } from '#contract/text/plan-items.ts';
import { PLAN_NAMES } from '#contract/text/plan-names.ts';
import { defineMessages } from './define-messages.ts';

/** What the plans are called and promise; the keys of the items are those of PLANS in contract/limits.ts. */
export const plansTexts = defineMessages({
  es: {
    plans: {
      name: PLAN_NAMES.es,
      item: {
        ...PLAN_ITEM_NAMES.es,
        everythingInBasic: 'Todo lo del plan Básico',
        everythingInStandard: 'Todo lo del plan Estándar',
      },
    },
  },
  en: {
    plans: {
      name: PLAN_NAMES.en,
      item: {
        ...PLAN_ITEM_NAMES.en,
        everythingInBasic: 'Everything in Basic',
        everythingInStandard: 'Everything in Standard',
      },
    },
  },
});
