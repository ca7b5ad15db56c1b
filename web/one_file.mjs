// For Vite: one HTML file as the result. Script and style stand inside it, nothing is loaded from
// elsewhere, which its policy says to the browser too.
const policy = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; " +
    "style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'";
const charset = '<meta charset="utf-8">';

export const oneFile = {
  name: 'one-file',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['index.html'];
    page.source = page.source.replace(
        charset, `${charset}\n<meta http-equiv="Content-Security-Policy" content="${policy}">`);
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
