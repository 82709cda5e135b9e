import { useText } from '#app/lib/i18n.tsx';
import { adminAuditActTexts } from '#app/lib/messages/admin/audit-acts.ts';
import { adminAuditFieldTexts } from '#app/lib/messages/admin/audit-fields.ts';

interface ActWords {
  act: (name: string) => string;
  kind: (name: string) => string;
  field: (name: string) => string;
}

/**
 * Words for the acts, kinds of records and fields of the audit log; of an older one that nothing writes any more its own
 * name.
 */
export function useActWords(): ActWords {
  const { auditActs, auditKinds, auditFields } = useText(adminAuditActTexts, adminAuditFieldTexts);
  const said = (words: Record<string, string>) => (name: string) =>
    (Object.hasOwn(words, name) ? words[name] : name) ?? name;
  return { act: said(auditActs), kind: said(auditKinds), field: said(auditFields) };
}
