import { useText } from '#app/lib/i18n/i18n.tsx';
import { plansTexts } from '#app/lib/messages/plans.ts';

/** What the page's language calls a plan. */
export function usePlanName(): (plan: string) => string {
  const { name } = useText(plansTexts).plans;
  return (plan) => (Object.hasOwn(name, plan) ? name[plan as keyof typeof name] : plan);
}
