// The page shows a run or recordings, or it is the playground.
import {content, carried} from './carried';

const playground = document.getElementById('perpend-playground');
async function play(element: Element) {
  const [{Playground}, {start_in}, parts, examples] = await Promise.all([import('./playground/main'), import('./playground/link'),
                                                                         carried(), content(element)]);
  new Playground(start_in(parts), JSON.parse(new TextDecoder().decode(examples)).examples);
}
if (playground) play(playground).catch((error) => { document.querySelector('#app')!.textContent = `This page cannot go on: ${error}`; });
else void import('./main');
