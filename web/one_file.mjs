// For Vite: one HTML file as the result. Script and style stand inside it, nothing is loaded from
// elsewhere.
export const oneFile = {
  name: 'one-file',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['index.html'];
    for (const [name, part] of Object.entries(bundle)) {
      if (part === page) continue;
      if (name.endsWith('.js'))
        page.source = page.source.replace(
            /<script type="module"[^>]*src="[^"]*"[^>]*><\/script>/,
            () => `<script type="module">${part.code.replaceAll('</script', '<\\/script')}</script>`);
      else if (name.endsWith('.css'))
        page.source = page.source.replace(
            /<link rel="stylesheet"[^>]*>/, () => `<style>${part.source}</style>`);
      else
        this.error(`${name} would be a file of its own`);
      delete bundle[name];
    }
    if (/<(script|link)[^>]*(src|href)="(?!data:)/.test(page.source.replace(/<script[^]*?<\/script>/g, '')))
      this.error('the page still loads a file');
  },
};

export const build = {target: 'es2022', modulePreload: false, assetsInlineLimit: 1e9,
                      cssCodeSplit: false, reportCompressedSize: false};
