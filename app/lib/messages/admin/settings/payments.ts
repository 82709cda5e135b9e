import { defineMessages } from '../../define-messages.ts';

/** The settings of the payment provider. */
export const paymentSettingTexts = defineMessages({
  es: {
    paymentsKey: {
      label: 'Clave de NOWPayments',
      hint: 'Junto con el secreto de avisos.',
      error: 'Hacen falta los dos: la clave y el secreto de avisos.',
    },
    paymentsIpnSecret: {
      label: 'Secreto de sus avisos (IPN)',
      hint: 'Al menos 16 caracteres.',
      error: 'Hacen falta los dos: la clave y el secreto, de al menos 16 caracteres.',
    },
    paymentsOldKeys: {
      label: 'Claves anteriores',
      hint: 'Con comas: los pagos que crearon se siguen leyendo con ellas.',
      error: 'Escribe claves separadas por comas.',
    },
    paymentsOldIpnSecrets: {
      label: 'Secretos de avisos anteriores',
      hint: 'Con comas: lo que firmaron se sigue escuchando.',
      error: 'Escribe secretos separados por comas.',
    },
    paymentsUrl: {
      label: 'Dirección de su API',
      hint: 'La clave se envía a esta dirección.',
      error: 'Escribe una dirección http:// o https://.',
    },
    paymentsShared: {
      label: 'La cuenta sirve también a otras tiendas',
      hint: 'Activado: el dinero con números de pedido ajenos se deja.',
      error: 'Elige activado o desactivado.',
    },
    paymentsEmail: {
      label: 'Correo de la cuenta',
      hint: 'Con su contraseña, encuentra depósitos cuyos avisos se perdieron.',
      error: 'Hacen falta los dos: el correo y la contraseña.',
    },
    paymentsPassword: {
      label: 'Contraseña de la cuenta',
      hint: 'Solo para leer listas de depósitos.',
      error: 'Hacen falta los dos: el correo y la contraseña.',
    },
  },
  en: {
    paymentsKey: {
      label: 'Key of NOWPayments',
      hint: 'Together with the callback secret.',
      error: 'Both are needed: the key and the callback secret.',
    },
    paymentsIpnSecret: {
      label: 'Secret of its callbacks (IPN)',
      hint: 'At least 16 characters.',
      error: 'Both are needed: the key and the secret, of at least 16 characters.',
    },
    paymentsOldKeys: {
      label: 'Earlier keys',
      hint: 'With commas: payments that they made are still read with them.',
      error: 'Write keys with commas between them.',
    },
    paymentsOldIpnSecrets: {
      label: 'Earlier callback secrets',
      hint: 'With commas: what they signed is still listened to.',
      error: 'Write secrets with commas between them.',
    },
    paymentsUrl: {
      label: 'Address of its API',
      hint: 'The key is sent to this address.',
      error: 'Write an address with http:// or https://.',
    },
    paymentsShared: {
      label: 'The account serves other shops too',
      hint: 'On: money with order numbers of others is left alone.',
      error: 'Choose on or off.',
    },
    paymentsEmail: {
      label: 'Mail address of the account',
      hint: 'With its password it finds deposits whose callbacks got lost.',
      error: 'Both are needed: the mail address and the password.',
    },
    paymentsPassword: {
      label: 'Password of the account',
      hint: 'Only to read lists of deposits.',
      error: 'Both are needed: the mail address and the password.',
    },
  },
});
