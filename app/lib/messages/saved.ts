import { SAVED_MAX } from '#contract/limits.ts';
import { counted, defineMessages } from './define-messages.ts';

export const savedTexts = defineMessages({
  es: {
    saved: {
      title: 'Guardados · Florka',
      heading: 'Tus tokens guardados',
      lead: 'Se guardan en este navegador; al iniciar sesión viajan contigo.',
      leadMember: 'Están en tu cuenta: los ves en cualquier navegador en el que entres.',
      empty: 'Todavía no has guardado ningún token.',
      emptyHint: 'Pulsa «Guardar» en la página de un token y lo encontrarás aquí.',
      full: (waiting: number) =>
        `Tu lista está llena: tiene ${SAVED_MAX} tokens. ${counted(waiting, 'token que guardaste sin iniciar sesión sigue', 'tokens que guardaste sin iniciar sesión siguen')} en este navegador: si quitas otros, pasan a tu cuenta la próxima vez que abras el sitio.`,
      explore: 'Ver los tokens',
      removeOf: (name: string) => `Quitar ${name} de guardados`,
      loading: 'Cargando guardados...',
      error: 'No se pudieron cargar tus guardados',
      noticeOf: (name: string) => `Avísame por correo de las novedades de ${name}`,
      noticeHint:
        'Te escribimos cuando el token pase a próximos lanzamientos, cuando tenga fecha, la cambie o la pierda, cuando llegue su hora, cuando el equipo diga que se ha lanzado o la cadena lo demuestre, y cuando pierda la marca de verificado. Solo a un correo verificado.',
      unsubscribe: {
        title: 'Avisos por correo · Florka',
        heading: 'Dejar de recibir avisos',
        text: 'No te escribiremos más sobre lo que trataba ese correo. Lo que ves en el sitio no cambia.',
        action: 'Dejar de recibir avisos',
        done: 'Hecho: no recibirás más correos sobre esto.',
        unknown: 'Este enlace no es válido. Puedes apagar los correos en tus avisos y en tus guardados.',
        notifications: 'Mis avisos',
      },
    },
  },
  en: {
    saved: {
      title: 'Saved · Florka',
      heading: 'Your saved tokens',
      lead: 'Kept in this browser; when you sign in they travel with you.',
      leadMember: 'They are in your account: you see them in every browser in which you sign in.',
      empty: 'You have not saved any token yet.',
      emptyHint: 'Press "Save" on a token page and you will find it here.',
      full: (waiting) =>
        `Your list is full: it has ${SAVED_MAX} tokens. ${counted(waiting, 'token that you saved while signed out stays', 'tokens that you saved while signed out stay')} in this browser: if you remove others, they move to your account the next time you open the site.`,
      explore: 'See the tokens',
      removeOf: (name) => `Remove ${name} from saved`,
      loading: 'Loading saved tokens...',
      error: 'Your saved tokens could not be loaded',
      noticeOf: (name) => `Tell me by mail about ${name}`,
      noticeHint:
        'We write when the token moves to the upcoming launches, gets, changes or loses its date, reaches its hour, has launched by what the team says or is proven on the chain, and when it loses the mark of a verified creator. To a verified mailbox only.',
      unsubscribe: {
        title: 'Mail notices · Florka',
        heading: 'Stop the notices',
        text: 'We will not write about what that mail was about any more. What you see on the site does not change.',
        action: 'Stop the notices',
        done: 'Done: no more mails about this.',
        unknown: 'This link is not valid. You can turn mails off in your notifications and in your saved list.',
        notifications: 'My notifications',
      },
    },
  },
});
