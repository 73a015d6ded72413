// A picture is drawn again when it enters: camera data stay behind, and it has at most 2,000 pixels a side.

const LARGEST = 2000;

/** The bytes of a picture as JPEG, or as PNG if it has transparent parts; rejects what the browser cannot read. @param {File} file @returns {Promise<Uint8Array<ArrayBuffer>>} */
export const drawPicture = async file => {
  if (file.type === 'image/svg+xml') return new Uint8Array(await file.arrayBuffer());
  const picture = await createImageBitmap(file).catch(() => { throw new Error(`this browser cannot read ${file.name}; save it as JPEG or PNG`); });
  const scale = Math.min(1, LARGEST / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser cannot draw a picture');
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  return new Uint8Array(await blob.arrayBuffer());
};
