import { defineMessages } from '../../define-messages.ts';

/** An acceptance that is signed with an admin key. */
export const signedTexts = defineMessages({
  es: {
    signed: {
      heading: (count: number) =>
        count === 0 ? 'Aceptación firmada para el firmante' : `Aceptación firmada para el firmante (${count})`,
      why: 'El firmante solo cuenta el dinero que, según el propio proveedor, paga este pedido entero. Si llegó de otra forma, hace falta la firma de un administrador, hecha fuera de este sitio.',
      statement: 'Texto que se firma',
      how: 'Guárdalo en un archivo y fírmalo en tu equipo: npm run florka -- admin sign <clave> <archivo>. Lo que imprime se pega aquí.',
      brought: (key: string, when: string) =>
        `Firmado con ${key}, recibido el ${when}. Si el firmante confía en esa clave, lo decide él.`,
      signature: 'Texto firmado',
      bring: 'Guardar la firma',
      busy: 'Guardando...',
      done: 'Firma guardada',
      failed: 'No se pudo guardar la firma',
      there: 'Esta firma ya está guardada.',
      refused: {
        form: 'No es lo que imprime «admin sign».',
        payment: 'La firma es de otro pago.',
        signature: 'La firma no corresponde al texto y a la clave.',
      },
    },
  },
  en: {
    signed: {
      heading: (count) =>
        count === 0 ? 'Signed acceptance for the signer' : `Signed acceptance for the signer (${count})`,
      why: 'The signer counts only money that pays for this whole order by the provider’s own word. Where it came in another way, it needs the signature of an admin, made outside of this site.',
      statement: 'Text to sign',
      how: 'Save it in a file and sign it on your computer: npm run florka -- admin sign <key> <file>. Paste here what it prints.',
      brought: (key, when) =>
        `Signed with ${key}, brought on ${when}. Whether the signer trusts that key is the signer’s decision.`,
      signature: 'Signed text',
      bring: 'Save the signature',
      busy: 'Saving...',
      done: 'Signature saved',
      failed: 'The signature could not be saved',
      there: 'This signature is saved already.',
      refused: {
        form: 'This is not what “admin sign” prints.',
        payment: 'The signature is of another payment.',
        signature: 'The signature does not fit the text and the key.',
      },
    },
  },
});
