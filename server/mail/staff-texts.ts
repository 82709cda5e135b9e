// Words of mails about the accounts of staff, and about tries to get into an account.

const es = {
  staffEmailAsked: {
    subject: 'Se ha pedido otro correo para tu cuenta del equipo',
    body: (to: string): string =>
      `Alguien del equipo ha pedido que tu cuenta use ${to}. Mientras tu cuenta sea del equipo, solo cambia si lo confirmas aquí con tu sesión abierta, o si un segundo administrador pide lo mismo. Si no lo esperabas, avisa a otro administrador.`,
    button: 'Confirmar el cambio',
  },
  staffAct: {
    subject: (target: string) => `Cambio en la cuenta del equipo ${target}`,
    body: (actor: string, act: string, target: string): string =>
      `${actor} ha hecho esto en la cuenta ${target}: ${act}. Este aviso va a las dos cuentas. Si no lo esperabas, avisa a otro administrador.`,
    act: {
      updated: 'cambiar sus datos, o pedir otro correo',
      confirmed: 'confirmar la cuenta',
      banned: 'cerrar la cuenta',
      unbanned: 'abrir la cuenta de nuevo',
      sessions: 'cerrar sus sesiones',
      password: 'enviar un enlace para otra contraseña',
      removed: 'eliminar la cuenta',
      role: 'cambiar su rol',
    },
  },
  wrongPasswords: {
    subject: 'Contraseñas equivocadas para tu cuenta',
    body: (tries: number): string =>
      `En una hora se han escrito más de ${tries} contraseñas equivocadas para tu cuenta. Con ellas no ha entrado nadie. Si no has sido tú y usas tu contraseña también en otro sitio, elige otra.`,
  },
};

const en: typeof es = {
  staffEmailAsked: {
    subject: 'Another e-mail was asked for your staff account',
    body: (to) =>
      `Somebody of the staff asked that your account use ${to}. While your account is one of the staff, it changes only if you confirm it here while signed in, or if a second admin asks for the same. If you did not expect this, warn another admin.`,
    button: 'Confirm the change',
  },
  staffAct: {
    subject: (target) => `Change of the staff account ${target}`,
    body: (actor, act, target) =>
      `${actor} did this to the account ${target}: ${act}. This notice goes to both accounts. If you did not expect it, warn another admin.`,
    act: {
      updated: 'change its data, or ask for another e-mail',
      confirmed: 'confirm the account',
      banned: 'close the account',
      unbanned: 'open the account again',
      sessions: 'end its sessions',
      password: 'send a link to choose another password',
      removed: 'delete the account',
      role: 'change its role',
    },
  },
  wrongPasswords: {
    subject: 'Wrong passwords for your account',
    body: (tries) =>
      `Within an hour more than ${tries} wrong passwords were typed for your account. Nobody got in by them. If this was not you and you use your password elsewhere too, choose another one.`,
  },
};

export const staffTexts = { es, en };
