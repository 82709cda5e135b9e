import { defineMessages } from './define-messages.ts';

export const mediaTexts = defineMessages({
  es: {
    media: {
      hint: 'JPG, PNG, WebP o GIF, máximo 5 MB.',
      choose: 'Elegir imagen',
      replace: 'Cambiar imagen',
      drop: 'o suéltala aquí',
      remove: 'Quitar imagen',
      cancel: 'Cancelar',
      progress: 'Subiendo imagen',
      preview: 'Vista previa de la imagen',
      removed: 'Imagen quitada',
      uploaded: 'Imagen subida exitosamente',
      uploadFailed: { title: 'Error al subir imagen', text: 'No se pudo subir la imagen.' },
      removeFailed: { title: 'Error al eliminar imagen', text: 'No se pudo eliminar la imagen.' },
      failure: {
        FILE_TYPE: 'Tipo de archivo no permitido. Solo se permiten JPG, PNG, WebP y GIF.',
        FILE_TOO_LARGE: 'El archivo es demasiado grande. Máximo 5MB.',
        IMAGE_REFUSED: 'La imagen está dañada o tiene demasiados píxeles. Prueba con otra.',
        DRAFT_FULL: 'Este borrador ya tiene todas las imágenes que caben. Quita una antes de subir otra.',
        TOO_SLOW: 'La imagen ha tardado demasiado en llegar. Inténtalo de nuevo.',
        UNAUTHORIZED: 'Inicia sesión para subir imágenes.',
        FORBIDDEN: 'Esta imagen solo la puede subir un administrador.',
      },
    },
  },
  en: {
    media: {
      hint: 'JPG, PNG, WebP or GIF, up to 5 MB.',
      choose: 'Choose an image',
      replace: 'Change image',
      drop: 'or drop it here',
      remove: 'Take image away',
      cancel: 'Cancel',
      progress: 'Uploading image',
      preview: 'Preview of the image',
      removed: 'Image taken away',
      uploaded: 'Image uploaded',
      uploadFailed: { title: 'Image upload failed', text: 'The image could not be uploaded.' },
      removeFailed: { title: 'Image removal failed', text: 'The image could not be removed.' },
      failure: {
        FILE_TYPE: 'File type not allowed. Only JPG, PNG, WebP and GIF are.',
        FILE_TOO_LARGE: 'The file is too large. 5 MB at most.',
        IMAGE_REFUSED: 'The image is damaged or has too many pixels. Try another one.',
        DRAFT_FULL: 'This draft holds all the images it can. Remove one before you upload another.',
        TOO_SLOW: 'The image took too long to arrive. Try again.',
        UNAUTHORIZED: 'Sign in to upload images.',
        FORBIDDEN: 'Only an administrator can upload this image.',
      },
    },
  },
});
