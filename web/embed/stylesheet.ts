/** A stylesheet of the pages for a shadow root: what they say of the root is said of the host, whose page may say otherwise. */
export function stylesheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  // Light or dark is the host page's to say, unless the element does.
  sheet.replaceSync(css.replaceAll(':root', ':host').replaceAll(/color-scheme:\s*light dark;?/g, ''));
  return sheet;
}
