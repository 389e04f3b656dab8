const sayingNothing =
  /^(?:image|img|photo|photograph|picture|logo|icon|avatar|thumbnail|spacer|banner|figure|graphic|screenshot|untitled|null|undefined|alt|\d+|图片|图像|图)?(?:\s*\d+)?$/i;
const fileName = /^\S+\.(?:jpe?g|png|gif|webp|svg|bmp|tiff?|avif|emf|wmf)$/i;

/** The description of a picture, where it says something: not just that it is one, or the name of a file. */
export function pictureText(description = ''): string {
  const text = description.trim();
  return sayingNothing.test(text) || fileName.test(text) ? '' : text;
}
