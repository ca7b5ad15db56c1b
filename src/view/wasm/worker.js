// The worker of a page that carries its recordings: hands messages of the page to the program, which
// stands before this in the same script, and its answers back. Begins with
//   {module: WebAssembly.Module, recordings: [{name, packed | lines: ArrayBuffer}], looks_ahead: boolean}
// and may be given other recordings later, without the module. Every other message is {message:
// ArrayBuffer} in both directions. Tests call `perpend_program`
// without a worker.
async function perpend_program(module, told) {
  const program = await perpend_module({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  });
  // Bytes in the memory of the program while `act` runs.
  const lent = (bytes, act) => {
    const at = program._malloc(Math.max(bytes.length, 1));
    program.HEAPU8.set(bytes, at);
    const result = act(at, bytes.length);
    program._free(at);
    return result;
  };
  const tell = () => {
    for (let size = program._perpend_take(); size > 0; size = program._perpend_take()) {
      const at = program._perpend_taken();
      told(program.HEAPU8.slice(at, at + size).buffer);
    }
  };
  return {
    // True: it could be opened.
    open({name, packed, lines}) {
      const opened = packed ? lent(new Uint8Array(packed), program._perpend_open_packed) :
          lent(new Uint8Array(lines), (at, size) => lent(new TextEncoder().encode(name),
              (text, length) => program._perpend_open_lines(at, size, text, length)));
      tell();
      return opened === 1;
    },
    join() {
      program._perpend_join();
      tell();
    },
    hear(message) {
      lent(new Uint8Array(message), program._perpend_hear);
      tell();
    },
    // False: nothing is left to find out.
    look_ahead() {
      const more = program._perpend_look_ahead();
      tell();
      return more === 1;
    },
  };
}

if (typeof WorkerGlobalScope !== 'undefined') {
  let program;  // a promise of it
  const open = (begun, {recordings, looks_ahead}) => {
    if (!recordings.every((one) => begun.open(one))) return;
    begun.join();
    const look = () => begun.look_ahead() && setTimeout(look);
    if (looks_ahead) setTimeout(look);
  };
  onmessage = async ({data}) => {
    try {
      if (data.module) program = perpend_program(data.module, (message) => postMessage({message}, [message]));
      const begun = await program;
      if (data.recordings) open(begun, data);
      if (data.message) begun.hear(data.message);
    } catch (error) {
      postMessage({failed: `${error}`});
    }
  };
}
