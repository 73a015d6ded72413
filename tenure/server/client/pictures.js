// A picture is drawn again when it enters: without the data of the camera, and at most 2,000 pixels wide or high.
const MAX_SIDE = 2000;

const STEP = 0x8000;
/** @param {Uint8Array} body */
export const encodeBase64 = body => {
  let text = '';
  for (let at = 0; at < body.length; at += STEP) text += String.fromCharCode(...body.subarray(at, at + STEP));
  return btoa(text);
};

/**
 * The name and the bytes of a file as it enters the site; throws an Error for a picture that this browser cannot read.
 * @param {File} file
 * @returns {Promise<[string, Uint8Array<ArrayBuffer>]>}
 */
export const readPicture = async file => {
  const body = async () => new Uint8Array(await file.arrayBuffer());
  const name = file.name.normalize('NFC'),
    stem = name.replace(/\.[^.]*$/, '');
  if (!/\.(jpe?g|png|webp|avif|heic|heif|bmp)$/i.test(name)) return [name, await body()];
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`${name} is a picture that this browser cannot read; export it as JPEG or PNG`);
  });
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height)),
    canvas = document.createElement('canvas');
  Object.assign(canvas, {
    width: Math.round(bitmap.width * scale),
    height: Math.round(bitmap.height * scale),
  });
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const wanted =
    { png: 'image/png', webp: 'image/webp', avif: 'image/webp' }[
      name.split('.').pop()?.toLowerCase() ?? ''
    ] ?? 'image/jpeg';
  /** @type {Blob} */
  const blob = await new Promise(resolve => canvas.toBlob(resolve, wanted, 0.9)); // of another type if the browser does not write this one
  return [
    `${stem}.${blob.type === 'image/jpeg' ? 'jpg' : blob.type.split('/')[1]}`,
    new Uint8Array(await blob.arrayBuffer()),
  ];
};
