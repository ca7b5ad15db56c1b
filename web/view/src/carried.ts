// What a page carries inside, each in an element of its own as base64 of gzip: the program as
// WebAssembly (docs/share.md), recordings, the examples of the playground.
export interface Carried { url: string; module: WebAssembly.Module }  // the worker's script and what it runs

export async function content(element: Element): Promise<ArrayBuffer> {
  const text = atob(element.textContent!.trim()), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

export async function carried(): Promise<Carried> {
  const part = (id: string) => content(document.getElementById(id)!);
  const [script, module] = await Promise.all([part('perpend-worker'), part('perpend-module').then((bytes) => WebAssembly.compile(bytes))]);
  return {url: URL.createObjectURL(new Blob([script], {type: 'text/javascript'})), module};
}
