import { defineMessages } from '../define-messages.ts';

/** The screen of the state of the installation. */
export const adminDoctorTexts = defineMessages({
  es: {
    doctor: {
      heading: 'Estado de la instalación',
      lead: 'Lo que dice «florka doctor» del proceso que responde. Sus palabras están en inglés, para enviarlas a quien ayude.',
      loading: 'Revisando la instalación...',
      failed: 'No se pudo revisar la instalación',
      fine: 'Nada está mal',
      problems: (count: number) => (count === 1 ? '1 cosa por mirar' : `${count} cosas por mirar`),
      readAt: 'Revisado',
      again: 'Revisar de nuevo',
    },
  },
  en: {
    doctor: {
      heading: 'State of the installation',
      lead: 'What «florka doctor» says of the process that answers, to be sent to whoever helps.',
      loading: 'Looking at the installation...',
      failed: 'The installation could not be looked at',
      fine: 'Nothing is wrong',
      problems: (count) => (count === 1 ? '1 thing needs a look' : `${count} things need a look`),
      readAt: 'Looked at',
      again: 'Look again',
    },
  },
});
