import { useText } from '#app/lib/i18n.tsx';
import { adminAuditActTexts } from '#app/lib/messages/admin/audit-acts.ts';

/** Words for the acts and kinds of records of the audit log; of an older one that nothing writes any more its own name. */
export function useActWords(): { act: (name: string) => string; kind: (name: string) => string } {
  const { auditActs, auditKinds } = useText(adminAuditActTexts);
  const said = (words: Record<string, string>) => (name: string) =>
    (Object.hasOwn(words, name) ? words[name] : name) ?? name;
  return { act: said(auditActs), kind: said(auditKinds) };
}
