import { useText } from '#app/lib/i18n.tsx';
import { adminAuditActTexts } from '#app/lib/messages/admin/audit-acts.ts';
import { adminAuditFieldTexts } from '#app/lib/messages/admin/audit-fields.ts';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';

interface ActWords {
  act: (name: string) => string;
  kind: (name: string) => string;
  field: (name: string) => string;
  value: (value: unknown) => string;
}

/**
 * Words for the acts, kinds of records, fields and values of the audit log; of an older one that nothing writes any more its own
 * name.
 */
export function useActWords(): ActWords {
  const { auditActs, auditKinds, auditFields, admin } = useText(adminAuditActTexts, adminAuditFieldTexts, adminTexts);
  const { yes, no } = admin.conflict;
  const said = (words: Record<string, string>) => (name: string) =>
    (Object.hasOwn(words, name) ? words[name] : name) ?? name;
  const value = (value: unknown) => {
    if (typeof value === 'boolean') return value ? yes : no;
    if (value === null || value === '') return '—';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return { act: said(auditActs), kind: said(auditKinds), field: said(auditFields), value };
}
