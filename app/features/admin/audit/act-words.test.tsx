import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n.tsx';
import { adminAuditActTexts } from '#app/lib/messages/admin/audit-acts.ts';
import { en } from '#app/lib/messages/en.ts';
import { es } from '#app/lib/messages/es.ts';
import { useActWords } from './act-words.ts';

function said(locale: 'es' | 'en', name: string): string[] {
  let words: string[] = [];
  function Screen() {
    const told = useActWords();
    words = [told.act(name), told.kind(name.split('.')[0] ?? '')];
    return null;
  }
  renderToStaticMarkup(
    <LanguageProvider locale={locale} text={locale === 'es' ? es : en}>
      <Screen />
    </LanguageProvider>,
  );
  return words;
}

describe('words of the audit log', () => {
  it('stand for each act and kind, in the language of the reader; what is unknown keeps its own name', () => {
    expect(said('es', 'candidate.votes_reset')).toEqual(['Votos reiniciados', 'Candidato']);
    expect(said('en', 'candidate.votes_reset')).toEqual(['Votes reset', 'Candidate']);
    expect(said('es', 'constructor.once')).toEqual(['constructor.once', 'constructor']);
  });

  it('tell one act from another', () => {
    for (const { auditActs, auditKinds } of [adminAuditActTexts.es, adminAuditActTexts.en])
      for (const words of [Object.values(auditActs), Object.values(auditKinds)])
        expect(words.filter((one, i) => words.indexOf(one) !== i)).toEqual([]);
  });
});
