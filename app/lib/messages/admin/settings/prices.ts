import { defineMessages } from '../../define-messages.ts';

const NOTE_ES = 'Escribe la nota en los dos idiomas, con 200 caracteres como mucho.';
const NOTE_EN = 'Write the note in both languages, with 200 characters at most.';

/** The notes beside the prices of the plans. */
export const priceSettingTexts = defineMessages({
  es: {
    planEntryEs: {
      label: 'Plan ENTRY, en español',
      hint: 'Junto al precio del plan. Hace falta en los dos idiomas; vacío: nada.',
      error: NOTE_ES,
    },
    planEntryEn: {
      label: 'Plan ENTRY, en inglés',
      hint: 'Junto al precio del plan, en las páginas en inglés.',
      error: NOTE_ES,
    },
    planBasicEs: {
      label: 'Plan BASIC, en español',
      hint: 'Junto al precio del plan. Hace falta en los dos idiomas; vacío: nada.',
      error: NOTE_ES,
    },
    planBasicEn: {
      label: 'Plan BASIC, en inglés',
      hint: 'Junto al precio del plan, en las páginas en inglés.',
      error: NOTE_ES,
    },
    planStandardEs: {
      label: 'Plan STANDARD, en español',
      hint: 'Junto al precio del plan. Hace falta en los dos idiomas; vacío: nada.',
      error: NOTE_ES,
    },
    planStandardEn: {
      label: 'Plan STANDARD, en inglés',
      hint: 'Junto al precio del plan, en las páginas en inglés.',
      error: NOTE_ES,
    },
    planCompleteEs: {
      label: 'Plan COMPLETE, en español',
      hint: 'Junto al precio del plan. Hace falta en los dos idiomas; vacío: nada.',
      error: NOTE_ES,
    },
    planCompleteEn: {
      label: 'Plan COMPLETE, en inglés',
      hint: 'Junto al precio del plan, en las páginas en inglés.',
      error: NOTE_ES,
    },
  },
  en: {
    planEntryEs: {
      label: 'Plan ENTRY, in Spanish',
      hint: 'Beside the price of the plan. It is needed in both languages; empty: nothing.',
      error: NOTE_EN,
    },
    planEntryEn: {
      label: 'Plan ENTRY, in English',
      hint: 'Beside the price of the plan, on English pages.',
      error: NOTE_EN,
    },
    planBasicEs: {
      label: 'Plan BASIC, in Spanish',
      hint: 'Beside the price of the plan. It is needed in both languages; empty: nothing.',
      error: NOTE_EN,
    },
    planBasicEn: {
      label: 'Plan BASIC, in English',
      hint: 'Beside the price of the plan, on English pages.',
      error: NOTE_EN,
    },
    planStandardEs: {
      label: 'Plan STANDARD, in Spanish',
      hint: 'Beside the price of the plan. It is needed in both languages; empty: nothing.',
      error: NOTE_EN,
    },
    planStandardEn: {
      label: 'Plan STANDARD, in English',
      hint: 'Beside the price of the plan, on English pages.',
      error: NOTE_EN,
    },
    planCompleteEs: {
      label: 'Plan COMPLETE, in Spanish',
      hint: 'Beside the price of the plan. It is needed in both languages; empty: nothing.',
      error: NOTE_EN,
    },
    planCompleteEn: {
      label: 'Plan COMPLETE, in English',
      hint: 'Beside the price of the plan, on English pages.',
      error: NOTE_EN,
    },
  },
});
