// The page shows a run or recordings, or it is the playground.
import {carried, content} from './carried';
import {show_page} from './main';
import {start_in} from './playground/link';
import {Playground} from './playground/main';

async function play(element: Element) {
  const [program, examples] = await Promise.all([carried(), content(element)]);
  new Playground(start_in(program), JSON.parse(new TextDecoder().decode(examples)).examples);
}
const playground = document.getElementById('perpend-playground');
if (playground) play(playground).catch((error) => { document.querySelector('#app')!.textContent = `This page cannot go on: ${error}`; });
else show_page();
