import { defineMessages } from '../define-messages.ts';

/** What the screens of members, roles, moderators and the forum share. */
export const adminPeopleTexts = defineMessages({
  es: {
    people: {
      roles: { user: 'Usuario', moderator: 'Moderador', admin: 'Administrador' },
      statuses: { approved: 'aprobado', pending: 'pendiente', rejected: 'rechazado' },
      allRoles: 'Todos los roles',
      roleFilter: 'Rol',
      refresh: 'Actualizar',
      figures: 'Cifras',
      close: 'Cerrar',
      unknownError: 'Error desconocido',
      signedInAs: (email: string) => `Sesión: ${email}`,
      screensOf: 'Tres pantallas con las mismas personas',
      screens: {
        people: 'Todo lo de una sola: pedidos, pagos, votos, correos y notas.',
        users: 'Todas las cuentas: crear, aprobar, bloquear y borrar.',
        roles: 'Quién modera y quién trabaja en la administración.',
      },
      results: {
        title: 'Resultado',
        summary: (done: number, all: number) => `${done} de ${all} hechos`,
        done: 'Hecho',
        unchanged: 'Ya estaba así',
        refused: 'No se hizo',
      },
      codes: {
        UNCONFIRMED: 'Primero hay que aprobar la cuenta.',
        NOT_FOUND: 'Ya no existe.',
        LAST_ADMIN: 'Es el último propietario: nombra a otro antes.',
        OWN_ACCOUNT: 'Con tu propia cuenta no puedes hacer esto: pídeselo a otro administrador.',
        AUTHORS_DELETION: 'Lo eliminó su autor: no se puede restaurar.',
        RATE_LIMITED: 'Demasiadas en poco tiempo: inténtalo más tarde.',
        STAFF_ROLE_NEEDED: 'Es parte del equipo: solo un propietario puede hacer esto.',
        FORBIDDEN: 'Ya no tienes permiso para esto.',
        UNEXPECTED: 'Algo falló con este: no cambió nada.',
      },
    },
  },
  en: {
    people: {
      roles: { user: 'User', moderator: 'Moderator', admin: 'Administrator' },
      statuses: { approved: 'approved', pending: 'pending', rejected: 'rejected' },
      allRoles: 'All roles',
      roleFilter: 'Role',
      refresh: 'Refresh',
      figures: 'Figures',
      close: 'Close',
      unknownError: 'Unknown error',
      signedInAs: (email) => `Session: ${email}`,
      screensOf: 'Three screens with the same persons',
      screens: {
        people: 'Everything of one person: orders, payments, votes, mails and notes.',
        users: 'All accounts: create, approve, ban and delete them.',
        roles: 'Who moderates, and who works in the back office.',
      },
      results: {
        title: 'Result',
        summary: (done, all) => `${done} of ${all} done`,
        done: 'Done',
        unchanged: 'It was so already',
        refused: 'Not done',
      },
      codes: {
        UNCONFIRMED: 'The account has to be approved first.',
        NOT_FOUND: 'It does not exist any more.',
        LAST_ADMIN: 'This is the last owner: appoint another one first.',
        OWN_ACCOUNT: 'You cannot do this with your own account: ask another administrator.',
        AUTHORS_DELETION: 'Its author deleted it: it cannot be restored.',
        RATE_LIMITED: 'Too many in a short time: try again later.',
        STAFF_ROLE_NEEDED: 'One of the staff: only an owner can do this.',
        FORBIDDEN: 'You may not do this any more.',
        UNEXPECTED: 'Something failed with this one: nothing of it changed.',
      },
    },
  },
});
