import { defineMessages } from '../define-messages.ts';

/** An image in a form of the back office: uploaded, or fetched from an address elsewhere. */
export const adminImageFieldTexts = defineMessages({
  es: {
    image: {
      label: 'Imagen',
      source: 'Origen de la imagen',
      upload: 'Subir archivo',
      manual: 'URL manual',
      address: 'URL de la imagen',
      addressHint: 'Empieza por https://. Al guardar hacemos nuestra propia copia.',
      invalid: 'Escribe una dirección que empiece por https://.',
      gone: 'Esa imagen ya no está. Súbela otra vez.',
      why: {
        address: 'Escribe una dirección https:// normal, sin usuario ni puerto.',
        private: 'Esa dirección no es de la internet pública.',
        redirect: 'Esa dirección lleva a otra. Escribe la dirección final de la imagen.',
        unreachable: 'No hay ninguna imagen en esa dirección, o no responde.',
        slow: 'Esa dirección tarda demasiado en responder.',
        large: 'El archivo es demasiado grande. Máximo 5MB.',
        type: 'Tipo de archivo no permitido. Solo se permiten JPG, PNG, WebP y GIF.',
        refused: 'La imagen está dañada o tiene demasiados píxeles. Prueba con otra.',
        storage: 'Ahora no se pueden guardar imágenes. Inténtalo de nuevo en unos minutos.',
      },
    },
  },
  en: {
    image: {
      label: 'Image',
      source: 'Where the image comes from',
      upload: 'Upload a file',
      manual: 'Manual URL',
      address: 'URL of the image',
      addressHint: 'Begins with https://. We make our own copy when you save.',
      invalid: 'Write an address that begins with https://.',
      gone: 'This image is not there any more. Upload it again.',
      why: {
        address: 'Write a plain https:// address, without user or port.',
        private: 'This address is not on the public internet.',
        redirect: 'This address leads to another one. Write the final address of the image.',
        unreachable: 'There is no image at this address, or it does not answer.',
        slow: 'This address takes too long to answer.',
        large: 'The file is too large. 5 MB at most.',
        type: 'File type not allowed. Only JPG, PNG, WebP and GIF are.',
        refused: 'The image is damaged or has too many pixels. Try another one.',
        storage: 'Images cannot be stored right now. Try again in a few minutes.',
      },
    },
  },
});
