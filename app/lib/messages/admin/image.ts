import { area } from '../area.ts';

export const adminImageTexts = area({
  es: {
    image: {
      label: 'Imagen',
      how: 'Cómo se pone la imagen',
      upload: 'Subir archivo',
      address: 'URL manual',
      addressLabel: 'URL de la imagen',
      addressHint: 'Con https. El servidor guarda una copia propia al guardar el formulario.',
      refused: 'No se pudo traer la imagen de esa dirección. Prueba con otra o sube el archivo.',
    },
  },
  en: {
    image: {
      label: 'Image',
      how: 'How the image is given',
      upload: 'Upload a file',
      address: 'Manual URL',
      addressLabel: 'Address of the image',
      addressHint: 'With https. The server keeps a copy of its own when the form is saved.',
      refused: 'The image could not be brought from that address. Try another one, or upload the file.',
    },
  },
});
