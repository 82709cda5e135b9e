import { useText } from '#app/lib/i18n/i18n.tsx';
import { plansTexts } from '#app/lib/messages/plans.ts';

/** Names of plans in the page's language; an unknown plan is named as it is stored. */
export function usePlanName(): (plan: string) => string {
  const { name } = useText(plansTexts).plans;
  return (plan) => (Object.hasOwn(name, plan) ? name[plan as keyof typeof name] : plan);
}
